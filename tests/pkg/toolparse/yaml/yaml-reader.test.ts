import { describe, expect, it } from '@jest/globals';
import { readYaml } from '../../../../src/pkg/toolparse/yaml/yaml-reader.js';

const read = (text: string) => readYaml(text)?.value;

describe('readYaml', () => {
  it.each([
    [
      'scalars',
      'a: x y\nb: 1\nc: -2.5\nd: true\ne: null\nf: ~\ng: 007\nh:',
      { a: 'x y', b: 1, c: -2.5, d: true, e: null, f: null, g: '007', h: null },
    ],
    ['quotes', `a: "x\\n: y"\nb: 'it''s'\n"c d": 1`, { a: 'x\n: y', b: "it's", 'c d': 1 }],
    ['comments', 'a: 1 # one\n# two\nb: "x # y"\nc: x#y', { a: 1, b: 'x # y', c: 'x#y' }],
    ['nesting', 'a:\n  b:\n    c: 1\n  d: 2\ne: 3', { a: { b: { c: 1 }, d: 2 }, e: 3 }],
    [
      'lists',
      'a:\n  - 1\n  - x: 1\n    y: 2\n  -\n    - z\nb:\n- 3',
      { a: [1, { x: 1, y: 2 }, ['z']], b: [3] },
    ],
    ['flow values', 'a: [1, "x", {b: c}]\nd: {e: 1}', { a: [1, 'x', { b: 'c' }], d: { e: 1 } }],
    ['plain text over several lines', 'a: one\n  two\nb:\n  three', { a: 'one two', b: 'three' }],
    ['Windows line breaks', 'a: 1\r\nb: |\r\n  x\r\n', { a: 1, b: 'x\n' }],
  ])('reads %s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['|', 'x\n  y\n\nz\n'],
    ['|-', 'x\n  y\n\nz'],
    ['|+', 'x\n  y\n\nz\n\n'],
    ['>', 'x\n  y\n\nz\n'],
    ['|2-', 'x\n  y\n\nz'],
  ])('reads the lines of a %s scalar', (header, value) => {
    expect(read(`a: ${header}\n  x\n    y\n\n  z\n\nb: 1`)).toEqual({ a: value, b: 1 });
  });

  it('folds lines into one, and keeps line breaks of blank ones', () => {
    expect(read('a: >\n  b\n  c\n\n  d\n')).toEqual({ a: 'b c\nd\n' });
  });

  it('says when a key is there twice', () => {
    expect(readYaml('a: 1\na: 2')?.repeats).toBe(true);
    expect(readYaml('a: 1\nb:\n  a: 2')?.repeats).toBe(false);
  });

  it.each(['', 'a: [1', 'a: "x', '  b: 1\na: 2', 'a: 1\nnot a key', 'a: {b: 1} x'])('refuses %j', (text) => {
    expect(readYaml(text)).toBeUndefined();
  });

  it('keeps __proto__ as plain data', () => {
    const value = read('__proto__:\n  x: 1') as object;
    expect([Object.keys(value), Object.getPrototypeOf(value)]).toEqual([['__proto__'], Object.prototype]);
  });
});
