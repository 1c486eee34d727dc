import type { Truncation } from '../../domain/tool-result.js';

export interface CutOutput {
  readonly text: string;
  readonly truncated: Truncation;
}

export interface CutLimits {
  readonly maxBytes: number;
  /** Where the whole is kept, as the cut says it. */
  readonly file?: string;
  /** What to say when the whole could not be kept. */
  readonly note?: string;
}

/** Whether a text takes more bytes than allowed; counts them only where its length leaves that open. */
export function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;
}

/** Keeps head and tail of a text, whole characters only, and says in between what is missing. */
export function cutOutput(text: string, { maxBytes, file, note }: CutLimits): CutOutput {
  const bytes = Buffer.from(text);
  const tailBytes = Math.floor(maxBytes / 2);
  const headEnd = characterStart(bytes, maxBytes - tailBytes);
  const tailStart = nextCharacterStart(bytes, bytes.length - tailBytes);
  const head = bytes.toString('utf8', 0, headEnd);
  const tail = bytes.toString('utf8', tailStart);
  const where = file === undefined ? (note ?? '') : `; whole output in ${file}`;
  const marker = `[… ${countOf(tailStart - headEnd)} bytes cut${where} …]`;
  return {
    text: [head, marker, tail].filter((part) => part !== '').join('\n'),
    truncated: {
      totalBytes: bytes.length,
      keptBytes: headEnd + bytes.length - tailStart,
      ...(file === undefined ? {} : { file }),
    },
  };
}

/** The longest head of at most so many bytes that ends between two characters. */
export function headOf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  return bytes.length <= maxBytes ? bytes : bytes.subarray(0, characterStart(bytes, maxBytes));
}

/** A number as people read it: `812,345`. */
export function countOf(count: number): string {
  return count.toLocaleString('en-US');
}

function characterStart(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index > 0 && isContinuation(bytes[index])) index--;
  return index;
}

function nextCharacterStart(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && isContinuation(bytes[index])) index++;
  return index;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
