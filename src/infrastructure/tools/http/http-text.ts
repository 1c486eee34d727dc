import type { DetailedOutput } from '../../../ports/tool-handler.js';
import { countOf } from '../cut-output.js';
import { IN_PROCESS_NETWORK } from '../in-process-enforcement.js';
import type { HttpReply } from './http-exchange.js';

// What helps to read or to repeat; cookies and the rest are in the structured output.
const SHOWN = [
  'content-type',
  'content-length',
  'location',
  'etag',
  'last-modified',
  'retry-after',
  'www-authenticate',
];
const BINARY_SAMPLE_BYTES = 8192;

/** A reply as the model reads it: status line, the headers that matter, body. 400 and above is a failure. */
export function replyOutput(reply: HttpReply): DetailedOutput {
  const { status, statusText, version, headers, body, isCut } = reply;
  const head = SHOWN.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  const text = [`HTTP/${version} ${status} ${statusText}`.trimEnd(), ...head, '', bodyText(reply)].join('\n');
  const message = `HTTP ${status} ${statusText}`.trimEnd();
  return {
    text,
    data: { status, headers: headers as Record<string, string | string[]> },
    enforcement: IN_PROCESS_NETWORK,
    ...(status >= 400 ? { failure: { code: 'EXECUTION.TOOL.FAILED', message } } : {}),
    ...(isCut ? { truncated: { totalBytes: body.length, keptBytes: body.length } } : {}),
  };
}

function bodyText({ body, headers, isCut }: HttpReply): string {
  const type = headers['content-type'];
  const end = isCut ? `\n[… the body goes on; reading stopped after ${countOf(body.length)} bytes …]` : '';
  if (!isText(body, type)) {
    return `[${countOf(body.length)} bytes that are no text (${type ?? 'no content type'}), not shown]${end}`;
  }
  return `${decode(body, type)}${end}`;
}

function isText(body: Uint8Array, type: string | undefined): boolean {
  return /charset=utf-16/i.test(type ?? '') || !body.subarray(0, BINARY_SAMPLE_BYTES).includes(0);
}

function decode(body: Uint8Array, type: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
