import { describe, expect, it } from '@jest/globals';
import { closest } from '../../../src/domain/closest.js';
import { didYouMean } from '../../../src/infrastructure/workflow/suggest.js';

describe('closest', () => {
  it.each([
    ['restrctions', 'restrictions'],
    ['naem', 'name'],
    ['Name', 'name'],
    ['tol', 'tool'],
    ['parametres', 'parameters'],
  ])('finds what %s was meant to be', (word, meant) => {
    expect(closest(word, ['name', 'tool', 'restrictions', 'parameters'])).toBe(meant);
  });

  it('finds nothing for another word, or one that is too long to be a slip', () => {
    expect(closest('banana', ['name', 'tool'])).toBeUndefined();
    expect(closest('n'.repeat(1000), ['n'.repeat(999)])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('says what there is when nothing is close, and nothing when there is nothing', () => {
    expect(didYouMean('xyz', ['name', 'tool'], 'there is')).toBe('there is: name, tool');
    expect(didYouMean('xyz', [], 'there is')).toBeUndefined();
  });
});
