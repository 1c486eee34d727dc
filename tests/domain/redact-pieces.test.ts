import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPieceRedactor } from '../../src/domain/redact-pieces.js';
import { createValueRedactor } from '../../src/domain/redaction.js';

function redactorFor(...values: readonly string[]) {
  const secrets = values.map((value) => ({ name: value, value }));
  const { text } = createValueRedactor(secrets);
  return { text, pieces: createPieceRedactor(secrets, text) };
}

describe('createPieceRedactor', () => {
  it('hides a secret that comes in pieces', () => {
    const { pieces } = redactorFor('swordfish');
    expect(['a swo', 'rdfi', 'sh b', ' swo', 'rd'].map(pieces.push)).toEqual([
      'a ',
      '',
      '[redacted] b',
      ' ',
      '',
    ]);
    expect(pieces.end()).toBe('sword');
    expect(pieces.end()).toBe('');
  });

  it('keeps nothing back where nothing is secret', () => {
    const { pieces } = redactorFor();
    expect(pieces.push('as it is')).toBe('as it is');
  });

  it('shows what a redactor of the whole would show, however a text is cut', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 4, maxLength: 6 });
    const secret = letters.map((list) => list.join(''));
    const parts = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', '-')).map((list) => list.join('')));
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 3 }), parts, (secrets, cut) => {
        const { text, pieces } = redactorFor(...secrets);
        const shown = cut.map(pieces.push).join('') + pieces.end();
        // Two secrets that touch are told as one or as two.
        const told = (words: string) => words.replace(/(?:\[redacted\])+/g, '*');
        expect(told(shown)).toBe(told(text(cut.join(''))));
      }),
    );
  });
});
