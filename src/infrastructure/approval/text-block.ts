import { toVisible } from '../../domain/visible-text.js';
import type { PreviewLine } from './preview-lines.js';

/** How a text is laid out for a person. */
export interface Layout {
  /** The terminal's width and height. */
  readonly columns: number;
  readonly rows: number;
  /** Show all of it, however long. */
  readonly whole: boolean;
  /** Whether what is added and what is removed is told apart by colour as well. */
  readonly isColoured: boolean;
}

const FEWEST_LINES = 8;
const MOST_LINES = 22;
/** What the menu and the short lines of a preview take of the screen. */
const OTHER_ROWS = 14;
/** What can matter to a block that is cut; more is not even looked at. */
const LOOKED_AT_LINES = 200;
const LOOKED_AT_CHARACTERS = 20_000;
const INDENT = '    ';

/**
 * Untrusted lines inside a gutter. Each is one line and stays behind the gutter, however long it is: nothing in it
 * can look like a line of ours. A long block keeps its head and its tail, and says what it leaves out.
 */
export function textBlock(lines: readonly PreviewLine[], layout: Layout): readonly string[] {
  if (layout.whole) return lines.flatMap((line) => gutterLines(line, layout));
  const shown = middleOut(lines, LOOKED_AT_LINES).flatMap((line) => gutterLines(shortened(line), layout));
  const most = Math.min(MOST_LINES, Math.max(FEWEST_LINES, layout.rows - OTHER_ROWS));
  if (shown.length <= most) return shown;
  const total = lines.reduce((sum, { text }) => sum + text.length + 1, -1);
  const note = `${INDENT}┊ (the middle is not shown, of ${lines.length} lines, ${total} characters: v shows all of it)`;
  const tail = Math.floor(most / 3) + 1;
  return [...shown.slice(0, most - tail), note, ...shown.slice(-tail)];
}

function gutterLines(line: PreviewLine, { columns, isColoured }: Layout): string[] {
  const room = Math.max(2, columns - INDENT.length - 3);
  const paint = isColoured ? PAINT[line.change ?? 'same'] : PAINT.same;
  return wrap(line.mark + visibleLine(line.text), room).map(
    (piece, index) => `${INDENT}│${index === 0 ? ' ' : '↪'}${paint(piece)}`,
  );
}

const PAINT = {
  same: (text: string) => text,
  added: (text: string) => `\x1b[32m${text}\x1b[39m`,
  removed: (text: string) => `\x1b[31m${text}\x1b[39m`,
} as const;

/** One line as it may be shown: tabs and spaces at the end are spelled out like all that is there and not seen. */
export function visibleLine(line: string): string {
  const visible = line
    .split('\t')
    .map((part) => toVisible(part))
    .join('→   ');
  const trimmed = visible.trimEnd();
  const spaces = visible.length - trimmed.length;
  if (spaces === 0) return visible;
  return `${trimmed}\\u{20}${spaces > 1 ? `×${spaces}` : ''}`;
}

/** Cut where the terminal would: what it wraps by itself starts in the first column, before the gutter. */
function wrap(line: string, room: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of line) {
    const columns = widthOf(character);
    if (width + columns > room) {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += character;
    width += columns;
  }
  return [...pieces, piece];
}

/** Two columns for all that is not ASCII: some are that wide, and too early a cut is harmless. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character <= '\x7e' ? 1 : 2;
  return width;
}

function middleOut<T>(items: readonly T[], most: number): readonly T[] {
  return items.length <= most ? items : [...items.slice(0, most / 2), ...items.slice(-most / 2)];
}

function shortened(line: PreviewLine): PreviewLine {
  const { text } = line;
  if (text.length <= 2 * LOOKED_AT_CHARACTERS) return line;
  return { ...line, text: text.slice(0, LOOKED_AT_CHARACTERS) + text.slice(-LOOKED_AT_CHARACTERS) };
}
