import { toVisible } from '../../domain/visible-text.js';
import type { Terminal } from './terminal.js';

/** A typed line, or how the typing was broken off. */
export type ReadLine = { readonly line: string } | 'given-up' | 'interrupted' | 'over';

const LONGEST = 1000;

/** Reads a line key by key and shows it: in raw mode nobody else does. */
export async function readLine(terminal: Terminal): Promise<ReadLine> {
  let line = '';
  for (;;) {
    const typed = await terminal.read();
    if (typeof typed === 'string') return 'over';
    for (const character of keysOf(typed.text)) {
      const end = ENDS.get(character);
      if (end) return end === 'line' ? { line } : end;
      line = edited(line, character, terminal);
    }
  }
}

/** An arrow key and its like are sequences that begin with Escape, and mean nothing here; Escape alone does. */
function keysOf(text: string): string {
  return text.startsWith('\x1b') && text.length > 1 ? '' : text;
}

const ENDS: ReadonlyMap<string, 'line' | 'given-up' | 'interrupted'> = new Map([
  ['\r', 'line'],
  ['\n', 'line'],
  ['\x03', 'interrupted'],
  ['\x04', 'given-up'],
  ['\x1b', 'given-up'],
]);

function edited(line: string, character: string, terminal: Terminal): string {
  if (character === '\x7f' || character === '\b') {
    if (line !== '') terminal.write('\b \b');
    return [...line].slice(0, -1).join('');
  }
  // Whatever cannot be seen was not meant to be typed.
  if (toVisible(character) !== character || line.length >= LONGEST) return line;
  terminal.write(character);
  return line + character;
}
