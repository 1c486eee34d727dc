import { ToolgateError } from '../../domain/errors.js';
import type { AllowedPath, FileSlice } from '../../ports/file-access.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';
import type { ToolSandbox } from '../../ports/tool-sandbox.js';
import { countOf, headOf } from './cut-output.js';

export interface LineRange {
  /** Counted from 1. */
  readonly first: number;
  readonly count?: number;
}

// Lines are found by reading from the start, so this is also how far into a file an offset can reach.
const MAX_READ_BYTES = 16 * 1024 * 1024;
const BINARY_SAMPLE_BYTES = 8192;
const NEWLINE = 0x0a;

/** The lines of a file, byte for byte; where they do not all fit, the first ones and how to read on. */
export async function readLines(
  path: AllowedPath,
  range: LineRange,
  sandbox: ToolSandbox,
): Promise<DetailedOutput> {
  const { maxOutputBytes } = sandbox.permissions.limits;
  // One byte too many, so that what does not fit shows.
  const enough = maxOutputBytes + 1;
  const maxBytes = range.first === 1 ? enough : Math.max(MAX_READ_BYTES, enough);
  const slice = await sandbox.readFile(path, { maxBytes });
  refuseBinary(slice.bytes, path.path);
  const wanted = selectLines(slice, range);
  const kept = wholeLines(wanted.bytes, maxOutputBytes);
  const text = decode(kept);
  if (wanted.isComplete && kept.length === wanted.bytes.length) return { text };
  return {
    text: `${text}${text.endsWith('\n') ? '' : '\n'}${notice(kept, range.first, slice.totalBytes)}`,
    truncated: { totalBytes: slice.totalBytes, keptBytes: kept.length },
  };
}

interface SelectedLines {
  readonly bytes: Uint8Array;
  /** False where the lines go on beyond what was read. */
  readonly isComplete: boolean;
}

function selectLines(slice: FileSlice, { first, count }: LineRange): SelectedLines {
  const { bytes, totalBytes } = slice;
  const start = afterLines(bytes, 0, first - 1);
  if (first > 1 && (start === undefined || start === bytes.length)) throw pastTheEnd(slice, first);
  const from = start ?? 0;
  const end = count === undefined ? undefined : afterLines(bytes, from, count);
  return { bytes: bytes.subarray(from, end), isComplete: end !== undefined || totalBytes === bytes.length };
}

/** Where the bytes go on after so many more line ends; undefined if there are fewer. */
function afterLines(bytes: Uint8Array, from: number, lines: number): number | undefined {
  let position = from;
  for (let line = 0; line < lines; line++) {
    const end = bytes.indexOf(NEWLINE, position);
    if (end < 0) return undefined;
    position = end + 1;
  }
  return position;
}

/** As many whole lines as fit; of a line that does not fit alone, its head. */
function wholeLines(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  const head = headOf(bytes, maxBytes);
  const lastEnd = head.lastIndexOf(NEWLINE);
  return lastEnd < 0 ? head : head.subarray(0, lastEnd + 1);
}

function notice(kept: Uint8Array, first: number, totalBytes: number): string {
  const lines = countLines(kept);
  const file = `the file has ${countOf(totalBytes)} bytes`;
  if (lines === 0)
    return `[… line ${first} is too long and is cut here; ${file}; read on with offset ${first + 1} …]`;
  const last = first + lines - 1;
  return `[… lines ${first} to ${last}; ${file}; read on with offset ${last + 1} …]`;
}

function pastTheEnd({ bytes, totalBytes }: FileSlice, first: number): ToolgateError {
  const lines = countLines(bytes);
  const endsOpen = bytes.length > 0 && bytes.at(-1) !== NEWLINE;
  const message =
    totalBytes > bytes.length
      ? `line ${first} lies beyond the first ${countOf(bytes.length)} bytes, which is as far as this tool reads`
      : `offset ${first} is past the end: the file has ${countOf(lines + (endsOpen ? 1 : 0))} lines`;
  return new ToolgateError('EXECUTION.TOOL.FAILED', message);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) count++;
  return count;
}

function refuseBinary(bytes: Uint8Array, path: string): void {
  if (!bytes.subarray(0, BINARY_SAMPLE_BYTES).includes(0)) return;
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const what = isUtf16 ? 'is UTF-16' : 'is a binary file';
  throw new ToolgateError('EXECUTION.TOOL.FAILED', `"${path}" ${what}; this tool reads UTF-8 text only`);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return `${text}\n[this file is not UTF-8: what is no text in it is shown as �]`;
  }
}
