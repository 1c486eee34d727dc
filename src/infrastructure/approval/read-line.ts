import { afterKey, type EditedLine, rowOf } from './line-editor.js';
import type { Terminal } from './terminal.js';

/** A typed line, or how the typing was broken off. */
export type ReadLine = { readonly line: string } | 'given-up' | 'interrupted' | 'over';

export interface ReadLineOptions {
  /** What stands there at first. */
  readonly initial?: string;
  readonly longest?: number;
}

/** Reads a line key by key and shows it: in raw mode nobody else does. */
export async function readLine(
  terminal: Terminal,
  { initial = '', longest = 1000 }: ReadLineOptions = {},
): Promise<ReadLine> {
  let line: EditedLine = { left: [...initial], right: [] };
  for (;;) {
    // One row and no more: what the terminal has wrapped by itself could not be drawn again.
    terminal.write(rowOf(line, '  > ', terminal.size.columns));
    const typed = await terminal.read();
    if (typeof typed === 'string') return ended(terminal, 'over');
    for (const key of keysOf(typed.text)) {
      const end = ENDS.get(key);
      if (end === 'line') return ended(terminal, { line: [...line.left, ...line.right].join('') });
      if (end) return ended(terminal, end);
      line = afterKey(line, key, longest);
    }
  }
}

function ended(terminal: Terminal, read: ReadLine): ReadLine {
  terminal.write('\n  ');
  return read;
}

/** An arrow key and its like are sequences that begin with Escape, one key each; Escape alone is one as well. */
const KEY = /\x1b(?:\[[0-9;?]*[@-~]|O?.)?|./gsu;

function keysOf(text: string): readonly string[] {
  return text.match(KEY) ?? [];
}

const ENDS: ReadonlyMap<string, 'line' | 'given-up' | 'interrupted'> = new Map([
  ['\r', 'line'],
  ['\n', 'line'],
  ['\x03', 'interrupted'],
  ['\x04', 'given-up'],
  ['\x1b', 'given-up'],
]);
