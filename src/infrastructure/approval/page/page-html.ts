import { randomBytes } from 'node:crypto';
import { text as script } from './assets/client.mjs?text';
import { text as style } from './assets/page.css?text';
import { text as frame } from './assets/page.html?text';

/** The page with everything in it: nothing is loaded from anywhere. */
export function renderPage(): { readonly html: string; readonly nonce: string } {
  const nonce = randomBytes(16).toString('base64');
  const html = frame
    .replaceAll('%NONCE%', nonce)
    // As functions: in a replacement text `$&` and its like would mean something.
    .replace('/* %STYLE% */', () => style)
    .replace('/* %SCRIPT% */', () => script);
  return { html, nonce };
}

/** Only what the page brings along itself may run, and it may talk to its own server only. */
export function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text can become markup, not even by a mistake in the page's own script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), 'x-frame-options': 'DENY' };
}
