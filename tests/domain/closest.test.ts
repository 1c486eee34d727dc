import { describe, expect, it } from '@jest/globals';
import { closest, suggestName } from '../../src/domain/closest.js';

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

describe('suggestName', () => {
  it('names what was probably meant, or all there is', () => {
    expect(suggestName('shel', ['read_file', 'shell'])).toBe('did you mean "shell"?');
    expect(suggestName('banana', ['read_file', 'shell'])).toBe('there are: read_file, shell');
    expect(suggestName('banana', [])).toBe('there is none');
  });
});
