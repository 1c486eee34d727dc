import { describe, expect, it } from '@jest/globals';
import {
  createToolCallStream,
  listFormats,
  parseToolCalls,
  type StreamEvent,
} from '../../../../src/pkg/toolparse/index.js';
import { brief, codes, TOOLS } from '../fixtures.js';
import { lines, STREAMS, sse } from './streams.js';

const EXPECTED = [
  ['get_weather', { city: 'Oslo 😀' }],
  ['now', {}],
];
const cases = Object.entries(STREAMS);

describe('event streams', () => {
  it('covers every wire format that streams', () => {
    const wire = listFormats().filter(({ eventStream }) => eventStream);
    const streamed = wire.map(({ id }) => id).filter((id) => id !== 'openai_chat_legacy');
    expect(Object.keys(STREAMS).sort()).toEqual(streamed.sort());
  });

  it.each(cases)('reads %s as server-sent events, as lines, as an array and as objects', (format, events) => {
    const array = `[${events.map((event) => JSON.stringify(event, null, 2)).join(',\n')}]`;
    const named = events.map(
      (event) => `event: ${event.type ?? 'x'}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`,
    );
    const forms = [
      sse(events),
      sse(events, ''),
      `\ufeff\n: a comment\n\nretry: 10\n${sse(events)}`,
      named.join(''),
      sse(events).replaceAll('\n\n', '\n'),
      sse(events).replaceAll('\n', '\r'),
      lines(events),
      `\ufeff${lines(events)}`,
      lines(events).replaceAll('\n', ''),
      array,
      [...events],
    ];
    for (const form of forms) {
      const result = parseToolCalls(form, { tools: TOOLS });
      expect([brief(result), result.text, result.format, codes(result)]).toEqual([
        EXPECTED,
        'Hm.',
        format,
        [],
      ]);
      expect(result.calls.every(({ complete, repaired }) => complete && !repaired)).toBe(true);
      const hasIds = !['ollama', 'cohere_v1'].includes(format);
      expect(result.calls.map(({ id }) => id)).toEqual(hasIds ? ['c1', 'c2'] : ['call_1', 'call_2']);
    }
  });

  it('reads data that is spread over lines', () => {
    const data = JSON.stringify(STREAMS.openai_chat?.[3], null, 1).replaceAll('\n', '\ndata: ');
    const result = parseToolCalls(`data: ${data}\n\n`);
    expect(result).toMatchObject({
      calls: [{ name: 'get_weather', complete: false }],
      format: 'openai_chat',
    });
  });

  it('says where in the response a call stands', () => {
    const text = lines(STREAMS.anthropic_messages ?? []);
    const [call] = parseToolCalls(text).calls;
    const block = text.slice(call?.start, call?.end);
    expect(block.startsWith('{"type":"content_block_start","index":2')).toBe(true);
    expect(block.endsWith('{"type":"content_block_stop","index":2}')).toBe(true);
  });

  it.each(cases)('tells the text and the arguments of %s while they come', (format, events) => {
    const stream = createToolCallStream({ tools: TOOLS });
    const told = events.map((event) => stream.push(`${JSON.stringify(event)}\n`));
    const whole = told.flat();
    expect(textOf(whole)).toBe('Hm.');
    const starts = whole.filter(({ type }) => type === 'block-start');
    const id = format;
    expect(starts).toMatchObject([
      { format: id, block: 0, name: 'get_weather' },
      { format: id, block: 1, name: 'now' },
    ]);
    const args = whole.map((event) => (event.type === 'block-delta' && event.block === 0 ? event.text : ''));
    expect(JSON.parse(args.join(''))).toEqual({ city: 'Oslo 😀' });
    const ends = whole.flatMap((event) => (event.type === 'block-end' ? event.calls : []));
    expect(stream.end().calls).toEqual(ends);
  });

  it('tells each piece of a long argument at once', () => {
    const stream = createToolCallStream();
    const [, , , start, first] = STREAMS.openai_chat ?? [];
    stream.push(sse([start ?? {}], ''));
    expect(stream.push(sse([first ?? {}], ''))).toEqual([
      { type: 'block-delta', text: '{"city": "Os', block: 0 },
    ]);
  });

  it('finds calls that a provider has left in the text of its events', () => {
    const content = ['I will.<tool', '_call>{"name":"now",', '"arguments":{}}</tool_call> ', 'Done.'];
    const events = content.map((piece) => ({ choices: [{ delta: { content: piece } }] }));
    const text = sse(events);
    const result = parseToolCalls(text, { tools: TOOLS });
    expect([brief(result), result.text, result.format]).toEqual([
      [['now', {}]],
      'I will. Done.',
      'openai_chat',
    ]);
    expect(result.calls).toMatchObject([{ format: 'hermes', start: 0 }]);
    const stream = createToolCallStream({ tools: TOOLS });
    expect(textOf(stream.push(text))).toBe('I will.');
    expect(stream.end()).toEqual(result);
  });

  it('takes the text for text when the provider lists calls itself, however late', () => {
    const content = 'See <tool_call>{"name":"now"}</tool_call>.';
    const events = [{ choices: [{ delta: { content } }] }, ...(STREAMS.openai_chat ?? [])];
    const result = parseToolCalls(sse(events), { tools: TOOLS });
    expect([brief(result), result.text]).toEqual([EXPECTED, `${content}Hm.`]);
  });
});

function textOf(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}
