import { toVisible } from '../../../domain/visible-text.js';

/** Columns under their titles, each as wide as it must be; the last is not padded. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows.map((row) => row.map((cell) => toVisible(cell)))];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
