import { hash } from 'node:crypto';
import type { JournalRecord } from '../../domain/journal.js';

/** The first line of a journal: what its chain of hashes starts from. */
export interface JournalHeader {
  readonly toolgate: 'journal';
  readonly version: 1;
  readonly run: string;
  /** Makes references to secrets unguessable, so that a model cannot write one and have it filled in. */
  readonly nonce: string;
}

/** A journal's bytes, read and checked as far as they are sound. */
export interface ReadChain {
  readonly header: JournalHeader;
  readonly records: readonly JournalRecord[];
  readonly lastHash: string;
  /** Where the sound part ends; what follows was torn by a crash and is dropped. */
  readonly soundBytes: number;
  readonly broken?: BrokenLine;
}

/** The first line that is not what was written. */
export interface BrokenLine {
  readonly line: number;
  readonly problem: string;
}

const PREFIX = '{"hash":"';
const MIDDLE = '","record":';
const HASH_LENGTH = 64;
const RECORD_START = PREFIX.length + HASH_LENGTH + MIDDLE.length;

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** One record as a line, its hash over the one before it and over the record's exact text. */
export function encodeLine(
  previousHash: string,
  recordText: string,
): { readonly line: string; readonly hash: string } {
  const own = sha256(previousHash + recordText);
  return { line: `${PREFIX}${own}${MIDDLE}${recordText}}\n`, hash: own };
}

/** Reads a journal. Stops at the first broken line; a last line without its end is torn, not broken. */
export function readChain(bytes: Buffer): ReadChain | BrokenLine {
  const lines = splitLines(bytes);
  const first = lines[0];
  const header = first === undefined ? undefined : parseHeader(first.text);
  if (!first || !header) return { line: 1, problem: 'is not the first line of a toolgate journal' };
  const records: JournalRecord[] = [];
  let state = { header, records, lastHash: sha256(first.text), soundBytes: first.end };
  for (const [index, { text, end }] of lines.entries()) {
    if (index === 0) continue;
    const decoded = decodeLine(text, state.lastHash, records.length + 1);
    if ('problem' in decoded) {
      // A file that grew before its data reached the disk ends in zeros: torn as well.
      if (index === lines.length - 1 && text.includes('\0')) break;
      return { ...state, broken: { line: index + 1, problem: decoded.problem } };
    }
    records.push(decoded.record);
    state = { ...state, lastHash: decoded.hash, soundBytes: end };
  }
  return state;
}

function decodeLine(
  text: string,
  previousHash: string,
  seq: number,
): { readonly record: JournalRecord; readonly hash: string } | { readonly problem: string } {
  const own = text.slice(PREFIX.length, PREFIX.length + HASH_LENGTH);
  const recordText = text.slice(RECORD_START, -1);
  if (!text.startsWith(PREFIX) || !text.endsWith('}')) return { problem: 'is not a record' };
  if (sha256(previousHash + recordText) !== own) {
    return { problem: 'does not fit the chain: it, or a line before it, was changed, removed or put in' };
  }
  const record = JSON.parse(recordText) as JournalRecord;
  return record.seq === seq
    ? { record, hash: own }
    : { problem: `has seq ${record.seq} where ${seq} belongs` };
}

function parseHeader(text: string): JournalHeader | undefined {
  try {
    const header = JSON.parse(text) as JournalHeader;
    return header.toolgate === 'journal' && header.version === 1 ? header : undefined;
  } catch {
    return undefined;
  }
}

/** Complete lines with the offset where each ends. */
function splitLines(bytes: Buffer): { readonly text: string; readonly end: number }[] {
  const lines: { text: string; end: number }[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push({ text: bytes.toString('utf8', start, end), end: end + 1 });
    start = end + 1;
  }
  return lines;
}
