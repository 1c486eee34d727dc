import { describe, expect, it } from '@jest/globals';
import { fitsWildcards } from '../../src/domain/wildcard-match.js';

const BY_LETTER = {
  isAny: (part: string) => part === '*',
  fits: (part: string, item: string) => part === item,
};

function fits(pattern: string, text: string): boolean {
  return fitsWildcards([...pattern], [...text], BY_LETTER);
}

describe('fitsWildcards', () => {
  it.each([
    ['', ''],
    ['*', ''],
    ['*', 'abc'],
    ['a*c', 'ac'],
    ['a*c', 'abbc'],
    ['*b*', 'abc'],
    ['a**', 'a'],
    ['*ab', 'aab'],
    ['*a*b', 'acbab'],
  ])('"%s" takes "%s"', (pattern, text) => {
    expect(fits(pattern, text)).toBe(true);
  });

  it.each([
    ['', 'a'],
    ['a', ''],
    ['a*c', 'abcd'],
    ['*ab', 'aba'],
    ['a', 'ab'],
    ['ab', 'a'],
  ])('"%s" does not take "%s"', (pattern, text) => {
    expect(fits(pattern, text)).toBe(false);
  });

  it('looks at no more than the product of both lengths', () => {
    let compared = 0;
    const counting = { ...BY_LETTER, fits: (part: string, item: string) => ++compared > 0 && part === item };
    const [parts, items] = [[...'*a'.repeat(50), 'b'], [...'a'.repeat(1000)]];
    expect(fitsWildcards(parts, items, counting)).toBe(false);
    expect(compared).toBeLessThanOrEqual(parts.length * items.length);
  });
});
