import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PlainOutput, plain } from '../../../../src/infrastructure/providers/command/plain-output.js';

const ESC = '\u001b';

function inPieces(pieces: readonly string[]): string {
  const output = new PlainOutput();
  return pieces.map((piece) => output.push(piece)).join('') + output.end();
}

describe('PlainOutput', () => {
  it.each([
    ['colours', `${ESC}[1;31mred${ESC}[0m`, 'red'],
    ['cursor movements', `a${ESC}[2K${ESC}[1Gb${ESC}[?25l`, 'ab'],
    ['titles and links', `${ESC}]0;title\u0007x${ESC}]8;;http://a${ESC}\\y`, 'xy'],
    ['short sequences', `${ESC}7${ESC}(Bx${ESC}=`, 'x'],
    ['strings', `${ESC}Pq#0${ESC}\\x`, 'x'],
    ['controls', 'a\u0000\u0008b\u009bc\td\ne', 'abc\td\ne'],
    ['carriage returns', 'one\r\ntwo\rthree', 'one\ntwo\nthree'],
  ])('leaves out %s', (_what, text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('gives the same for every way to cut a text', () => {
    const part = fc.constantFrom(ESC, '[', ']', '0;1m', 'm', '\u0007', '\\', '\r', '\n', 'text', 'P', '(B');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (parts, size) => {
        const text = parts.join('');
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(inPieces(pieces)).toBe(plain(text));
      }),
    );
  });

  it('waits no longer than a sequence can be', () => {
    const output = new PlainOutput();
    const shown = output.push(`${ESC}]${'x'.repeat(10_000)}`);
    expect(shown.length).toBeGreaterThan(9_000);
  });
});
