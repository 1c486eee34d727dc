import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePattern } from '../../../src/domain/pattern/compile-pattern.js';
import { matchesPattern } from '../../../src/domain/pattern/matches-pattern.js';

function matches(pattern: string, text: string): boolean {
  return matchesPattern(compilePattern(pattern), text);
}

describe('matchesPattern', () => {
  it.each([
    ['', 'anything', true],
    ['a.c', 'xabcx', true],
    ['a.c', 'a\nc', false],
    ['(?s)a.c', 'a\nc', true],
    ['^b', 'a\nb', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['[a-c]{2,3}d', 'abd', true],
    ['[^a-c]', 'abc', false],
    ['[]]', ']', true],
    ['[a\\-z]', '-', true],
    ['[a-]', '-', true],
    ['\\bdone\\b', 'all done!', true],
    ['\\bdone\\b', 'undone', false],
    ['\\Bone', 'done', true],
    ['(?i)größe', 'GRÖSSE GRÖßE', true],
    ['😀+$', 'so 😀😀', true],
    ['^.$', '😀', true],
    ['(?:ab|cd){2}', 'abcd', true],
    ['(?P<word>x)y', 'xy', true],
    ['a{,2}', 'a{,2}', true],
    ['\\Aa\\z', 'a', true],
    ['a|', 'b', true],
    ['x*?y', 'y', true],
  ])('%s in %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*)*x', '(a*)*b', '([a-zA-Z]+)*!'])(
    'is not kept busy by %s and a text made for it',
    (pattern) => {
      expect(matches(pattern, `${'a'.repeat(50_000)}\u0000`)).toBe(false);
    },
  );

  it.each([
    '(a{1000}){1000}',
    '((((){1000}){1000}){1000}){1000}',
    'a{201}',
    '(a?){150}',
    'a{3,2}',
    '(?<=a)b',
    '\\1',
    '*a',
    'a)',
    '[b-a]',
    '[a',
  ])('refuses %s', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(/in the pattern/);
  });

  it('finds what a JavaScript pattern finds', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '^', '$', '\\b');
    const pattern = fc
      .array(fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '|')), { maxLength: 6 })
      .map((parts) =>
        parts
          .map(([one, times]) => (/^(?:[\^$]|\\b)$/.test(one) && times !== '|' ? one : one + times))
          .join(''),
      );
    const text = fc
      .array(fc.constantFrom('a', 'b', '1', ' ', '_'), { maxLength: 8 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(pattern, text, (source, searched) => {
        expect(matches(source, searched)).toBe(new RegExp(source, 'u').test(searched));
      }),
      { numRuns: 2_000 },
    );
  });
});
