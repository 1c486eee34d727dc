import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { growthOf } from '../work-meter.js';
import { CHAT_END, chatEvents, lines, sse } from './streams.js';

/** Linear work grows fourfold with the text, quadratic work sixteenfold. */
const LINEAR = 6;

function stream(text: string, size: number): number {
  const calls = createToolCallStream();
  for (let at = 0; at < text.length; at += size) calls.push(text.slice(at, at + size));
  return calls.end().calls.length;
}

const call = (args: string, name?: string) => ({
  tool_calls: [{ index: 0, function: { ...(name ? { name } : {}), arguments: args } }],
});

describe('event streams in linear time', () => {
  const argumentOf = (times: number) =>
    JSON.stringify({ content: 'a line with "quotes"\n'.repeat(50 * times) });
  const inCharacters = (args: string) => {
    const pieces = Array.from(
      args,
      (char) =>
        `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(char)}}}]}}]}\n\n`,
    );
    return sse(chatEvents(call('', 'f')), '') + pieces.join('') + sse([CHAT_END]);
  };

  it('puts a long argument together from single characters', () => {
    const [found] = parseToolCalls(inCharacters(argumentOf(1))).calls;
    expect(JSON.stringify(found?.arguments)).toBe(argumentOf(1));
    expect(growthOf((times) => parseToolCalls(inCharacters(argumentOf(times))))).toBeLessThan(LINEAR);
  });

  it('puts Gemini strings together from single characters', () => {
    const part = (partialArgs: object[], name?: string) => ({
      candidates: [
        {
          content: {
            parts: [{ functionCall: { ...(name ? { name } : {}), partialArgs, willContinue: true } }],
          },
        },
      ],
    });
    const read = (times: number) => {
      const one = part([{ jsonPath: '$.a.b', stringValue: 'x' }]);
      const text = lines([part([], 'f'), ...Array.from({ length: 200 * times }, () => one)] as never[]);
      return stream(text, 4096);
    };
    expect(read(1)).toBe(1);
    expect(growthOf(read)).toBeLessThan(LINEAR);
  });

  it('reads many events in small chunks', () => {
    const [word = {}] = chatEvents({ content: 'some words of a long answer, ' });
    const read = (times: number) => {
      const events = Array.from({ length: 300 * times }, () => word);
      return stream(sse([...events, ...chatEvents(call('{}', 'f')), CHAT_END]), 64);
    };
    expect(read(1)).toBe(1);
    expect(growthOf(read)).toBeLessThan(LINEAR);
  });

  const many = (piece: string, times: number) => piece.repeat((1500 * times) / piece.length);
  it.each([
    [
      'one event',
      (times) => `data: ${JSON.stringify({ choices: [{ delta: { content: many('x', times) } }] })}`,
    ],
    ['blanks before anything', (times) => many(' ', times)],
    ['blanks in a list', (times) => `[${many(' ', times)}`],
    ['a comment without an end', (times) => `: ${many('x', times)}`],
    ['many comments', (times) => many(': x\n', times)],
    ['unknown events', (times) => many('data: {"x":1}\n\n', times)],
    ['data lines without an end', (times) => many('data: {\n', times)],
    ['values on one line', (times) => many('{"id":"","choices":[]}', times)],
    ['values that never end', (times) => `{"id":"","choices":[]}\n${many('{"a":\n', times)}`],
    ['an open array', (times) => `{"id":"","choices":[]}\n[${many('{"a":[\n', times)}`],
    [
      'blanks behind full arguments',
      (times) =>
        sse(chatEvents(call(`{"a":"${many('x', times)}"}`, 'f')), '') +
        sse(chatEvents(call(' ')), '').repeat(20 * times),
    ],
    ['carriage returns', (times) => `data: {"id":"","choices":[]}${many('\r', times)}`],
  ] as readonly (readonly [string, (times: number) => string])[])('survives %s', (_, text) => {
    expect(growthOf((times) => stream(text(times), 1))).toBeLessThan(LINEAR);
    expect(growthOf((times) => parseToolCalls(text(times)))).toBeLessThan(LINEAR);
  });
});
