import { toVisible } from '../../domain/visible-text.js';

/** How a text is laid out for a person. */
export interface Layout {
  /** The terminal's width. */
  readonly columns: number;
  /** Show all of it, however long. */
  readonly whole: boolean;
}

export interface TextBlock {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

const HEAD_LINES = 14;
const TAIL_LINES = 8;
/** What can matter to a block that is cut; more is not even looked at. */
const LOOKED_AT_LINES = 200;
const LOOKED_AT_CHARACTERS = 20_000;
const INDENT = '    ';

/**
 * Untrusted lines inside a gutter. Each is one line and stays behind the gutter, however long it is: nothing in it
 * can look like a line of ours. A long block keeps its head and its tail, and says what it leaves out.
 */
export function textBlock(lines: readonly string[], layout: Layout): TextBlock {
  if (layout.whole) return { lines: lines.flatMap((line) => gutterLines(line, layout)), isCut: false };
  const shown = middleOut(lines, LOOKED_AT_LINES).flatMap((line) => gutterLines(shortened(line), layout));
  if (shown.length <= HEAD_LINES + TAIL_LINES) return { lines: shown, isCut: false };
  const total = lines.reduce((sum, line) => sum + line.length + 1, -1);
  const note = `${INDENT}┊ (the middle is not shown, of ${lines.length} lines, ${total} characters: v shows all of it)`;
  return { lines: [...shown.slice(0, HEAD_LINES), note, ...shown.slice(-TAIL_LINES)], isCut: true };
}

function gutterLines(line: string, { columns }: Layout): string[] {
  const room = Math.max(10, columns - INDENT.length - 3);
  return wrap(visibleLine(line), room).map((piece, index) => `${INDENT}│${index === 0 ? ' ' : '↪'}${piece}`);
}

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

function shortened(line: string): string {
  if (line.length <= 2 * LOOKED_AT_CHARACTERS) return line;
  return line.slice(0, LOOKED_AT_CHARACTERS) + line.slice(-LOOKED_AT_CHARACTERS);
}
