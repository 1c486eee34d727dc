import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineDiff } from '../../../src/infrastructure/approval/line-diff.js';
import type { DiffLine } from '../../../src/infrastructure/approval/preview.js';

const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '+', '\\ x')).map((parts) => parts.join(''));
/** Longer than what is compared line by line. */
const filler = '=\n'.repeat(20_001);

/** What one side of a change says, with its line feeds. */
function sideOf(lines: readonly DiffLine[], change: 'added' | 'removed'): string {
  return lines
    .filter((line) => line.change === 'same' || line.change === change)
    .map((line) => (line.isUnended ? line.text : `${line.text}\n`))
    .join('');
}

describe('lineDiff', () => {
  it.each([
    ['short texts', ''],
    ['long ones', filler],
  ])('says nothing but the truth of %s: its lines are in both files, where it says', async (_, middle) => {
    const runs = middle === '' ? 300 : 20;
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (head, tail, otherHead, otherTail) => {
        const before = `${head}${middle}${tail}`;
        const after = `${otherHead}${middle}${otherTail}`;
        const rest = { before: before.split(/(?<=\n)/), after: after.split(/(?<=\n)/) };
        for (const hunk of await lineDiff(before, after)) {
          const from = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
          const to = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
          expect(rest.before.slice(from, from + hunk.oldLines).join('')).toBe(sideOf(hunk.lines, 'removed'));
          expect(rest.after.slice(to, to + hunk.newLines).join('')).toBe(sideOf(hunk.lines, 'added'));
        }
      }),
      { numRuns: runs },
    );
  });

  it('leaves no change out', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const lines = before.split(/(?<=\n)/).filter((line) => line !== '');
        // From the end, so that the places of the others stay.
        for (const hunk of [...(await lineDiff(before, after))].reverse()) {
          const from = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
          lines.splice(from, hunk.oldLines, sideOf(hunk.lines, 'added'));
        }
        expect(lines.join('')).toBe(after);
      }),
    );
  });
});
