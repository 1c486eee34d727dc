import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../../src/domain/parse-json.js';

describe('parseJson', () => {
  it('gives the value, and nothing where there is none', () => {
    expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
    expect(parseJson('{"a":')).toBeUndefined();
  });

  it('gives nothing for what is nested as no sane value is', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(200))).toBeDefined();
    expect(parseJson(nested(201))).toBeUndefined();
    expect(parseJson(nested(1_000_000))).toBeUndefined();
  });
});
