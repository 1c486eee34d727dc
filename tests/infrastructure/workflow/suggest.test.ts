import { describe, expect, it } from '@jest/globals';
import { didYouMean } from '../../../src/infrastructure/workflow/suggest.js';

describe('didYouMean', () => {
  it('says what there is when nothing is close, and nothing when there is nothing', () => {
    expect(didYouMean('xyz', ['name', 'tool'], 'there is')).toBe('there is: name, tool');
    expect(didYouMean('xyz', [], 'there is')).toBeUndefined();
  });
});
