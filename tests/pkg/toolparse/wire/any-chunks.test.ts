import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createToolCallStream,
  type ParseOptions,
  type ParseResult,
  parseToolCalls,
} from '../../../../src/pkg/toolparse/index.js';
import { TOOLS } from '../fixtures.js';
import { lines, STREAMS, sse } from './streams.js';

/** Streams of every provider, in both forms, and pieces that break them. */
const WHOLE = Object.values(STREAMS).flatMap((events) => [sse(events), lines(events), sse(events, '')]);
const EVENTS = Object.values(STREAMS).flat();
const NOISE = [
  'data: ',
  '\n',
  '\r\n',
  '\n\n',
  '\r',
  ': comment\n',
  'event: ping\n',
  'data: [DONE]\n\n',
  'data: {"error":{"message":"overloaded"}}\n\n',
  '{"type":"error","error":{"message":"x"}}\n',
  '{"choices":[{"delta":{"content":"<tool_call>{\\"name\\":\\"now\\"}</tool_call>"}}]}\n',
  '{"choices":[{"delta":{"content":"<tool_call>{\\"name\\":"}}]}\n',
  '{"name":"now","arguments":{}}',
  'prose',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  '\\',
  '\ud83d',
  '\ufeff',
];

function stream(text: string, sizes: readonly number[], options: ParseOptions): ParseResult {
  const calls = createToolCallStream(options);
  let told = '';
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    for (const event of calls.push(text.slice(at, at + size))) {
      if (event.type === 'text-delta') told += event.text;
    }
    at += size;
  }
  const result = calls.end();
  expect(result.text.startsWith(told)).toBe(true);
  return result;
}

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });
const options: fc.Arbitrary<ParseOptions> = fc.record({
  tools: fc.constantFrom(undefined, TOOLS),
  reasoning: fc.constantFrom('ignore', 'use', 'prefilled'),
  unknownTools: fc.constantFrom('keep', 'drop'),
});

function expectSame(text: string, cuts: readonly number[], chosen: ParseOptions): void {
  const expected = parseToolCalls(text, chosen);
  for (const sizes of [[1], cuts, [text.length + 1]]) expect(stream(text, sizes, chosen)).toEqual(expected);
}

describe('event streams in any chunks', () => {
  it.each(WHOLE.map((text, index) => [index, text] as const))(
    'ends the same for stream %i cut anywhere',
    (_, text) => {
      fc.assert(
        fc.property(sizes, options, (cuts, chosen) => expectSame(text, cuts, chosen)),
        { numRuns: 10 },
      );
    },
  );

  it('ends the same for a stream that breaks off anywhere', () => {
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE), fc.nat(2000), sizes, (text, at, cuts) => {
        expectSame(text.slice(0, at), cuts, { tools: TOOLS });
      }),
      { numRuns: 300 },
    );
  });

  it('ends the same for events in any order with anything between them', () => {
    const event = fc
      .constantFrom(...EVENTS)
      .chain((value) =>
        fc.constantFrom(
          `data: ${JSON.stringify(value)}\n\n`,
          `${JSON.stringify(value)}\n`,
          JSON.stringify(value),
        ),
      );
    const piece = fc.oneof(
      { weight: 3, arbitrary: event },
      { weight: 1, arbitrary: fc.constantFrom(...NOISE) },
    );
    const text = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, sizes, options, (whole, cuts, chosen) => expectSame(whole, cuts, chosen)),
      { numRuns: 1500 },
    );
  });

  it('ends the same for streams with characters changed', () => {
    const change = fc.record({ at: fc.nat(1500), to: fc.constantFrom(...NOISE, '') });
    fc.assert(
      fc.property(
        fc.constantFrom(...WHOLE),
        fc.array(change, { maxLength: 4 }),
        sizes,
        (text, changes, cuts) => {
          const broken = changes.reduce((all, { at, to }) => all.slice(0, at) + to + all.slice(at + 1), text);
          expectSame(broken, cuts, { tools: TOOLS });
        },
      ),
      { numRuns: 500 },
    );
  });
});
