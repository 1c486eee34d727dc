import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitsGlob, namesOf, readGlobs } from '../../../src/domain/rules/glob.js';
import { compilePatterns } from '../../../src/infrastructure/sandbox/path-patterns.js';

const name = fc.constantFrom('a', 'b', 'ab', 'a.md', '.env', 'x-y', 'ä');
const step = fc.oneof(
  name,
  fc.constantFrom(
    '*',
    '**',
    '?',
    'a*',
    '*.md',
    '.*',
    '[ab]',
    '[!a]',
    '[a-c]?',
    '{a,b}',
    '{a,b*}.md',
    '\\*',
    'a\\[',
    '?*',
  ),
);
const pattern = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/nowhere/${steps.join('/')}`);
const path = fc.array(name, { maxLength: 4 }).map((names) => `/nowhere/${names.join('/')}`);

describe('patterns of rules', () => {
  it('mean what they mean in restrictions', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, path, async (source, place) => {
        const [meant] = await compilePatterns([source], { workspace: '/nowhere', purpose: 'forbid' });
        const fits = readGlobs(source).some((glob) => fitsGlob(glob, namesOf(place), 'exact'));
        expect([source, place, fits]).toEqual([source, place, meant?.matches(place)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '',
    '  ',
    '!a',
    '~/a',
    'a/../b',
    '{..,a}',
    '[..',
    '{a',
    'a}',
    '{a}',
    '{1..9}',
    '[]]',
    '\0',
    'a'.repeat(2000),
  ])('are refused where they could mean something else: %j', (source) => {
    expect(() => readGlobs(source)).toThrow();
  });

  it('are bounded, and no name makes them slow', () => {
    expect(() => readGlobs('{a,b}'.repeat(8))).toThrow('alternatives');
    const [glob] = readGlobs(`${'*a'.repeat(400)}b`);
    expect(glob && fitsGlob(glob, ['a'.repeat(2_000)], 'exact')).toBe(false);
    const [deep] = readGlobs(`${'**/a/'.repeat(100)}b`);
    expect(deep && fitsGlob(deep, Array(2_000).fill('a'), 'exact')).toBe(false);
  });
});
