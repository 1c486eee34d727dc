import { toVisible } from '../../domain/visible-text.js';

/** A place in a file as people count: both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const FRAME_WIDTH = 100;

/** A file's text, and where in it things are. */
export class SourceText {
  readonly #lineStarts: readonly number[];

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
  }

  positionAt(offset: number): Position {
    const at = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.#lineStarts[low] ?? 0) + 1 };
  }

  /** The line with a caret below the place, and one line before and after it. */
  frameAt(offset: number): string {
    const { line, column } = this.positionAt(offset);
    const width = String(line + 1).length;
    // A file may be one line of a megabyte: every line shows the same window, the one around the caret.
    const from = Math.max(0, column - 1 - FRAME_WIDTH / 2);
    const rows: string[] = [];
    for (const shown of [line - 1, line, line + 1]) {
      const content = this.#line(shown);
      if (content === undefined || (shown !== line && content.trim() === '')) continue;
      const row = shownRow(content.slice(from, from + FRAME_WIDTH)).trimEnd();
      rows.push(`${shown === line ? '>' : ' '} ${String(shown).padStart(width)} | ${row}`.trimEnd());
      if (shown === line)
        rows.push(`  ${' '.repeat(width)} | ${caretBelow(content.slice(from, column - 1))}`);
    }
    return rows.join('\n');
  }

  #line(line: number): string | undefined {
    const start = this.#lineStarts[line - 1];
    if (start === undefined || line < 1) return undefined;
    const end = this.#lineStarts[line] ?? this.text.length + 1;
    return this.text.slice(start, end - 1).replace(/\r$/, '');
  }
}

/** As far in as the text before it is when shown, where hidden characters are spelled out. */
function caretBelow(before: string): string {
  return `${' '.repeat(shownRow(before).length)}^`;
}

/** A tab, which is no mistake in itself, takes one column and can be seen. */
function shownRow(text: string): string {
  return toVisible(text.replaceAll('\t', '→'));
}
