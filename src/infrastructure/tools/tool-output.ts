import type { Failure } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';

/** What a handler gave back, whatever it was, as text with details. Throws only for what cannot be JSON. */
export function toDetailedOutput(value: unknown): DetailedOutput {
  if (typeof value === 'string') return { text: wellFormed(value) };
  if (value === undefined || value === null) return { text: '' };
  if (ArrayBuffer.isView(value)) return { text: decoded(value) };
  if (typeof value !== 'object') return { text: wellFormed(String(value)) };
  if ('text' in value && typeof value.text === 'string') return cleaned(value as DetailedOutput);
  const data = toJson(value);
  return { text: wellFormed(JSON.stringify(data)), data };
}

function decoded({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

function cleaned(output: DetailedOutput): DetailedOutput {
  const { data, failure, ...rest } = output;
  return {
    ...rest,
    text: wellFormed(output.text),
    ...(data === undefined ? {} : { data: toJson(data) }),
    ...(failure === undefined ? {} : { failure: cleanFailure(failure) }),
  };
}

/** Plain data, cut loose from the handler's own objects: it is recorded, and must read the same later. */
function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('the tool returned something that is no JSON');
  return JSON.parse(text) as Json;
}

function cleanFailure(failure: Failure): Failure {
  const message = typeof failure.message === 'string' ? failure.message : 'the tool failed';
  return { code: failure.code ?? 'EXECUTION.TOOL.FAILED', message: wellFormed(message) };
}

interface UnicodeText {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** The text without lone surrogates, which UTF-8 cannot hold: a result is written, sent and hashed as UTF-8. */
export function wellFormed(text: string): string {
  const unicode = text as unknown as UnicodeText;
  return unicode.isWellFormed() ? text : unicode.toWellFormed();
}

/** Whether a text would change on its way into a file or a process. */
export function isWellFormed(text: string): boolean {
  return (text as unknown as UnicodeText).isWellFormed();
}
