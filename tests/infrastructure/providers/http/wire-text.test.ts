import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wireText } from '../../../../src/infrastructure/providers/http/wire-text.js';

describe('the JSON text of a request', () => {
  it.each([
    ['half a character', 'a\ud83d', '"a\ufffd"'],
    ['the other half', '\ude00b', '"\ufffdb"'],
    ['whole characters', '😀', '"😀"'],
    ['a text that only looks like half of one', '\\ud83d', '"\\\\ud83d"'],
    ['both', '\\ud83d\ud83d\\', '"\\\\ud83d\ufffd\\\\"'],
    ['half a character in a key', { 'k\ud83d': 1 }, '{"k\ufffd":1}'],
  ])('has %s as every server reads it', (_what, value, text) => {
    expect(wireText(value)).toBe(text);
  });

  it('is read as the same value, with all of its characters whole', () => {
    const text = fc
      .array(fc.constantFrom('\\', 'ud83d', '\ud83d', '\ude00', '"', '\n', 'x'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (value) => {
        expect(JSON.parse(wireText(value))).toBe(value.replace(/\p{Surrogate}/gu, '\ufffd'));
      }),
    );
  });
});
