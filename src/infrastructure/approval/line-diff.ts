import type { DiffHunk, DiffLine } from './preview.js';

/** How different two texts may be before the shortest way from one to the other takes too long to find. */
const MOST_CHANGES = 1000;
const MOST_LINES = 20_000;
const CONTEXT_LINES = 3;

/** What changes from one text to another. Never long in the making: what is too different is shown as replaced. */
export async function lineDiff(before: string, after: string): Promise<readonly DiffHunk[]> {
  if (before === after) return [];
  const old = linesOf(before);
  const fresh = linesOf(after);
  if (old.length === 0 || old.length + fresh.length > MOST_LINES) return [replaced(old, fresh)];
  // Here, since most runs never show a change to a file.
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_CHANGES };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  if (!patch) return [replaced(old, fresh)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    ...{ oldStart, oldLines, newStart, newLines },
    lines: unmarked(lines),
  }));
}

const CHANGES: Readonly<Record<string, DiffLine['change']>> = { '+': 'added', '-': 'removed', ' ': 'same' };

function unmarked(marked: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  for (const text of marked) {
    const change = CHANGES[text.charAt(0)];
    const last = lines.at(-1);
    // The one other mark is a backslash: "\ No newline at end of file".
    if (change) lines.push({ change, text: text.slice(1) });
    else if (last) lines[lines.length - 1] = { ...last, isUnended: true };
  }
  return lines;
}

/** One hunk: what both begin and end with stays, all between is taken out and put in. */
function replaced(old: readonly string[], fresh: readonly string[]): DiffHunk {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - CONTEXT_LINES);
  const after = Math.min(tail, CONTEXT_LINES);
  const lines = [
    ...old.slice(from, head).map(asLine('same')),
    ...old.slice(head, old.length - tail).map(asLine('removed')),
    ...fresh.slice(head, fresh.length - tail).map(asLine('added')),
    ...fresh.slice(fresh.length - tail, fresh.length - tail + after).map(asLine('same')),
  ];
  const oldLines = old.length - tail + after - from;
  const newLines = fresh.length - tail + after - from;
  return { oldStart: firstOf(from, oldLines), oldLines, newStart: firstOf(from, newLines), newLines, lines };
}

/** As patches count: from one, and from zero where there is nothing. */
function firstOf(index: number, count: number): number {
  return count === 0 ? index : index + 1;
}

/** With their line feeds: a last line without one is another line. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const last = lines.pop()?.slice(0, -1);
  return last ? [...lines, last] : lines;
}

function asLine(change: DiffLine['change']): (line: string) => DiffLine {
  return (line) =>
    line.endsWith('\n') ? { change, text: line.slice(0, -1) } : { change, text: line, isUnended: true };
}
