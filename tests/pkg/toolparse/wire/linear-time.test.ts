import { describe, expect, it } from '@jest/globals';
import { createToolCallStream, parseToolCalls } from '../../../../src/pkg/toolparse/index.js';
import { CHAT_END, chatEvents, lines, sse } from './streams.js';

/** Far above what linear time takes (seconds, on a busy machine), far below what quadratic time would (many minutes). */
const LIMIT_MS = 60_000;

function timed<T>(work: () => T): T {
  const started = performance.now();
  const result = work();
  expect(performance.now() - started).toBeLessThan(LIMIT_MS);
  return result;
}

function stream(text: string, size: number): number {
  const calls = createToolCallStream();
  for (let at = 0; at < text.length; at += size) calls.push(text.slice(at, at + size));
  return calls.end().calls.length;
}

const call = (args: string, name?: string) => ({
  tool_calls: [{ index: 0, function: { ...(name ? { name } : {}), arguments: args } }],
});

describe('event streams in linear time', () => {
  it('puts a 512 KB argument together from single characters', () => {
    const args = JSON.stringify({ content: 'a line with "quotes"\n'.repeat(512_000 / 21) });
    const pieces = Array.from(
      args,
      (char) =>
        `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(char)}}}]}}]}\n\n`,
    );
    const text = sse(chatEvents(call('', 'f')), '') + pieces.join('') + sse([CHAT_END]);
    const [found] = timed(() => parseToolCalls(text)).calls;
    expect(JSON.stringify(found?.arguments)).toBe(args);
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
    const characters = Array.from({ length: 60_000 }, () => part([{ jsonPath: '$.a.b', stringValue: 'x' }]));
    const text = lines([part([], 'f'), ...characters] as never[]);
    expect(timed(() => stream(text, 4096))).toBe(1);
  });

  it('reads 10 MB of events in small chunks', () => {
    const word = chatEvents({ content: 'some words of a long answer, ' });
    const events = Array.from({ length: 80_000 }, () => word[0] ?? {});
    const text = sse([...events, ...chatEvents(call('{}', 'f')), CHAT_END]);
    expect(text.length).toBeGreaterThan(10_000_000);
    expect(timed(() => stream(text, 512))).toBe(1);
  });

  it.each([
    [
      'one event in single characters',
      `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(200_000) } }] })}`,
    ],
    ['blanks before anything', ' '.repeat(200_000)],
    ['blanks in a list', `[${' '.repeat(200_000)}`],
    ['a comment without an end', `: ${'x'.repeat(200_000)}`],
    ['many comments', ': x\n'.repeat(100_000)],
    ['unknown events', 'data: {"x":1}\n\n'.repeat(30_000)],
    ['data lines without an end', 'data: {\n'.repeat(30_000)],
    ['values on one line', '{"id":"","choices":[]}'.repeat(30_000)],
    ['values that never end', '{"id":"","choices":[]}\n'.concat('{"a":\n'.repeat(30_000))],
    ['an open array', `{"id":"","choices":[]}\n[${'{"a":[\n'.repeat(30_000)}`],
    [
      'blanks behind full arguments',
      sse(chatEvents(call(`{"a":"${'x'.repeat(300_000)}"}`, 'f')), '') +
        sse(chatEvents(call(' ')), '').repeat(2000),
    ],
    ['carriage returns', `data: {"id":"","choices":[]}${'\r'.repeat(200_000)}`],
  ])('survives %s', (_, text) => {
    timed(() => stream(text, 1));
    timed(() => parseToolCalls(text));
  });
});
