import { DeniedError } from '../../domain/errors.js';
import { type HostAndPort, plainHost } from '../../domain/rules/host-patterns.js';

const MAX_URL_LENGTH = 8192;

/** A URL and what it connects to, read once: nobody has to read the text a second time, and differently. */
export interface ReadUrl {
  readonly url: URL;
  readonly target: HostAndPort;
}

/**
 * Reads a web address. What parsers repair or read differently (controls, blanks, missing slashes, backslashes,
 * percent signs or user names before the host) is refused instead.
 */
export function readUrl(text: string): ReadUrl {
  checkText(text);
  const url = parse(text);
  if (url.username !== '' || url.password !== '') throw refused('it contains a user name or password');
  const host = plainHost(url.hostname);
  if (host === '' || host.endsWith('.') || /[^a-z0-9._:-]/.test(host))
    throw refused('its host cannot be read');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  // A trailing dot would reach the server in the Host header, and the certificate's check.
  if (url.hostname.endsWith('.')) url.hostname = host;
  return { url, target: { host, port } };
}

function checkText(text: string): void {
  if (text.length > MAX_URL_LENGTH) throw refused(`it is longer than ${MAX_URL_LENGTH} characters`);
  if (/[\u0000-\u0020\u007f-\u009f\p{Surrogate}]/u.test(text)) {
    throw refused('it contains blanks or control characters');
  }
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) throw refused('it is none; write it whole, as https://host/path');
  if (!/^https?:/i.test(text)) throw refused('only http and https are allowed');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) throw refused('it names no host after "//"');
  if (/[\\%@]/.test(authority)) throw refused('its host contains "\\", "%" or "@"');
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw refused('it cannot be read');
  }
}

function refused(problem: string): DeniedError {
  return new DeniedError(`The URL is refused: ${problem}`);
}
