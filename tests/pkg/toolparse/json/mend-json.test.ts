import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mendJson } from '../../../../src/pkg/toolparse/json/mend-json.js';

describe('mendJson', () => {
  it('reads sound JSON as JSON.parse does, and mends nothing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 2 }),
        (value, indent) => {
          const json = JSON.stringify(value, null, indent);
          expect(mendJson(json)).toEqual({
            value: JSON.parse(json),
            end: json.length,
            fixes: [],
            openDepth: 0,
            unquoted: [],
          });
        },
      ),
    );
  });

  it('returns for every text, and never without an object of its own', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      'a',
      '1',
      '\\',
      '\n',
      '//',
      '/*',
      '\u201c',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (list) => {
        const mended = mendJson(`{${list.join('')}`);
        expect(mended === undefined || mended.end <= list.join('').length + 1).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('tells how much was open and where the text was cut', () => {
    expect(mendJson('{"a": [1, {"b": "tex')).toEqual({
      value: { a: [1, { b: 'tex' }] },
      end: 20,
      fixes: ['missing closing brackets'],
      openDepth: 3,
      cutPath: ['a', 1, 'b'],
      unquoted: [],
    });
    expect(mendJson('{"a": 1, "b')).toMatchObject({ value: { a: 1 }, openDepth: 1 });
    expect(mendJson('{"a": 1, "b":')).toMatchObject({ value: { a: 1 }, openDepth: 1 });
  });

  it('stops behind the value', () => {
    expect(mendJson("{'a': 1} and more")).toMatchObject({ value: { a: 1 }, end: 8 });
  });

  it('closes what a foreign bracket shows to be missing', () => {
    expect(mendJson('[{"a": 1]')).toMatchObject({ value: [{ a: 1 }], fixes: ['missing closing brackets'] });
  });

  it.each(['{...}', '{"a": ...}', '{"a": 1]', '{: 1}', `${'['.repeat(500)}`])('gives up on %j', (text) => {
    expect(mendJson(text)).toBeUndefined();
  });
});
