import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonWalker } from '../../../../src/pkg/toolparse/json/json-walker.js';

/** Walks a text in pieces of the given size and returns the status with the offset where it stopped. */
function walk(text: string, size = text.length || 1): [string, number] {
  const walker = new JsonWalker();
  let offset = 0;
  while (offset < text.length && walker.status === 'more') {
    offset += walker.walk(text.slice(offset, offset + size), 0, offset);
  }
  return [walker.status, offset];
}

const container = fc.oneof(
  fc.array(fc.jsonValue(), { minLength: 1 }),
  fc.dictionary(fc.string(), fc.jsonValue()),
);

describe('JsonWalker', () => {
  it('finds the end of every JSON object and array, however it is cut', () => {
    fc.assert(
      fc.property(
        container,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 1, max: 7 }),
        (value, indent, size) => {
          const json = JSON.stringify(value, null, indent);
          expect(walk(`${json} tail }`, size)).toEqual(['done', json.length]);
        },
      ),
    );
  });

  it('wants more of every beginning of one', () => {
    fc.assert(
      fc.property(container, fc.nat(), (value, cut) => {
        const json = JSON.stringify(value);
        expect(walk(json.slice(0, cut % json.length))[0]).toBe('more');
      }),
    );
  });

  it.each(["{'a': None, b: [True, 1,],}", '{"a": "line\nbreak"}', '{}', '[ ]'])('accepts %j', (text) => {
    expect(walk(text, 1)).toEqual(['done', text.length]);
  });

  it.each([
    ['{"a" 1}', 5],
    ['{"a": "b" "c"}', 10],
    ['{{', 1],
    ['{"a": 1]', 7],
    ['[1 2]', 3],
    ['{"a": "say "hi""}', 12],
    ['{"a": <x>}', 6],
    ['{a b}', 3],
  ])('breaks off at the first mistake in %j', (text, at) => {
    expect(walk(text, 1)).toEqual(['broken', at]);
    expect(walk(text)).toEqual(['broken', at]);
  });

  it.each([
    ['[{"a":1}', 8],
    ['[{"a":1}, [2] , and', 13],
    ['[{"a":1}, {"b":[2]', 8],
    ['[1, "b"', -1],
  ])('remembers where the last element of %j ended', (text, end) => {
    const walker = new JsonWalker();
    walker.walk(text, 0, 0);
    expect(walker.elementEnd).toBe(end);
  });

  it('remembers where the last string began', () => {
    const walker = new JsonWalker();
    walker.walk('{"a": "b', 0, 100);
    expect([walker.lastString, walker.inString]).toEqual([106, true]);
  });
});
