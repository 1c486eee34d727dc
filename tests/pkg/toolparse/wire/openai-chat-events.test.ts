import { describe, expect, it } from '@jest/globals';
import {
  createToolCallStream,
  type JsonObject,
  parseToolCalls,
} from '../../../../src/pkg/toolparse/index.js';
import { brief, codes } from '../fixtures.js';
import { CHAT_END, chatEvents, sse } from './streams.js';

type Part = { index?: number; id?: string; name?: string; args?: unknown };

/** A delta with these parts of calls. */
function calls(...parts: readonly Part[]): JsonObject {
  const list = parts.map(({ index, id, name, args }) => ({
    ...(index === undefined ? {} : { index }),
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  }));
  return { tool_calls: list } as unknown as JsonObject;
}

const read = (...deltas: readonly JsonObject[]) => parseToolCalls(sse([...chatEvents(...deltas), CHAT_END]));
const A = ['a', { n: 1 }];
const B = ['b', { n: 2 }];

describe('OpenAI chat deltas', () => {
  it.each<[string, readonly JsonObject[]]>([
    [
      'come interleaved',
      [
        calls({ index: 0, id: 'x', name: 'a', args: '' }),
        calls({ index: 1, id: 'y', name: 'b', args: '{"n"' }),
        calls({ index: 0, args: '{"n":' }),
        calls({ index: 1, args: ':2}' }, { index: 0, args: '1}' }),
      ],
    ],
    [
      'come whole, in one event',
      [
        calls(
          { index: 0, id: 'x', name: 'a', args: '{"n":1}' },
          { index: 1, id: 'y', name: 'b', args: '{"n":2}' },
        ),
      ],
    ],
    [
      'have no index but an id',
      [
        calls({ id: 'x', name: 'a', args: '' }),
        calls({ id: 'x', args: '{"n":' }),
        calls({ id: 'x', args: '1}' }),
        calls({ id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'have no index, and the id only at first',
      [
        calls({ id: 'x', name: 'a' }),
        calls({ args: '{"n":1' }),
        calls({ args: '}' }),
        calls({ id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'all have the same index',
      [
        calls({ index: 0, id: 'x', name: 'a', args: '{"n":1}' }),
        calls({ index: 0, id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'have neither index nor id',
      [calls({ name: 'a', args: '{"n":1}' }), calls({ name: 'b', args: '{"n":2}' })],
    ],
    [
      'have neither, and come together',
      [calls({ name: 'a', args: '{"n":1}' }, { name: 'b', args: '{"n":2}' })],
    ],
    [
      'repeat the id and the name every time',
      [
        calls({ index: 0, id: 'x', name: 'a', args: '{"n"' }),
        calls({ index: 0, id: 'x', name: 'a', args: ':1' }),
        calls({ index: 0, id: 'x', name: 'a', args: '}' }),
        calls({ index: 0, id: 'x', name: 'a', args: '' }),
        calls({ index: 1, id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'have a new id every time',
      [
        calls({ index: 0, id: 'x', name: 'a', args: '{"n"' }),
        calls({ index: 0, id: 'q', args: ':1}' }),
        calls({ index: 1, id: 'y', name: 'b', args: '{"n"' }),
        calls({ index: 1, id: 'z', name: 'b', args: ':2}' }),
      ],
    ],
    [
      'have an empty name first, and the id last',
      [
        calls({ index: 0, id: '', name: '', args: '{"n":' }),
        calls({ index: 0, name: 'a', args: '1}' }),
        calls({ index: 0, id: 'x' }),
        calls({ index: 1, id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'have objects for arguments',
      [
        calls({ index: 0, id: 'x', name: 'a', args: { n: 1 } }),
        calls({ index: 1, id: 'y', name: 'b', args: { n: 2 } }),
      ],
    ],
    [
      'send the whole arguments again at the end',
      [
        calls({ index: 0, id: 'x', name: 'a', args: '{"n":1}' }),
        calls({ index: 0, args: '{"n":1}' }),
        calls({ index: 1, id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
    [
      'are counted from one',
      [
        calls({ index: 1, id: 'x', name: 'a', args: '{"n":1}' }),
        calls({ index: 2, id: 'y', name: 'b', args: '{"n":2}' }),
      ],
    ],
  ])('are put together when they %s', (_, deltas) => {
    const result = read(...deltas);
    expect(brief(result)).toEqual([A, B]);
    expect(result.calls.every(({ complete, repaired }) => complete && !repaired)).toBe(true);
    expect(codes(result)).toEqual([]);
  });

  it('calls the same tool twice at one index', () => {
    const result = read(
      calls({ index: 0, name: 'a', args: '{"n":1}' }),
      calls({ index: 0, name: 'a', args: '{"n":3}' }),
    );
    expect(brief(result)).toEqual([A, ['a', { n: 3 }]]);
  });

  it('names calls without an id by their place, and one id only once', () => {
    const result = read(
      calls(
        { index: 0, name: 'a', args: '{}' },
        { index: 1, id: 'x', name: 'b', args: '{}' },
        { index: 2, id: 'x', name: 'c', args: '{}' },
      ),
    );
    expect(result.calls.map(({ id }) => id)).toEqual(['call_1', 'x', 'call_3']);
    expect(codes(result)).toEqual(['id-duplicate']);
  });

  it('leaves out a call that never gets a name', () => {
    const result = read(
      calls({ index: 0, id: 'x', args: '{"n":1}' }),
      calls({ index: 1, name: 'b', args: '{"n":2}' }),
    );
    expect([brief(result), codes(result)]).toEqual([[B], ['call-unreadable']]);
  });

  it('tells interleaved arguments apart', () => {
    const stream = createToolCallStream();
    const events = chatEvents(
      calls({ index: 0, id: 'x', name: 'a', args: '{"n"' }, { index: 1, id: 'y', name: 'b', args: '{' }),
      calls({ index: 1, args: '"n":2}' }, { index: 0, args: ':1}' }),
    );
    const told = stream.push(sse([...events, CHAT_END]));
    const text = (block: number) =>
      told.map((event) => (event.type === 'block-delta' && event.block === block ? event.text : '')).join('');
    expect([text(0), text(1)]).toEqual(['{"n":1}', '{"n":2}']);
  });

  it('reads the older function_call, custom tools and whole messages', () => {
    const legacy = [
      { function_call: { name: 'a', arguments: '' } },
      { function_call: { arguments: '{"n":1}' } },
    ];
    expect(read(...legacy)).toMatchObject({
      format: 'openai_chat_legacy',
      calls: [{ name: 'a', arguments: { n: 1 } }],
    });
    const custom = [
      { tool_calls: [{ index: 0, id: 'x', type: 'custom', custom: { name: 'sql', input: 'SELECT ' } }] },
      { tool_calls: [{ index: 0, custom: { input: '{1' } }] },
    ];
    expect(brief(read(...custom))).toEqual([['sql', { input: 'SELECT {1' }]]);
    const message = { message: { role: 'assistant', ...calls({ id: 'x', name: 'a', args: '{"n":1}' }) } };
    const body = { choices: [{ index: 0, ...message, finish_reason: 'tool_calls' }] };
    expect(brief(parseToolCalls(sse([body as unknown as JsonObject])))).toEqual([A]);
  });

  it('reads the first choice alone', () => {
    const choice = (index: number, name: string) => ({
      index,
      delta: calls({ index: 0, id: name, name, args: '{}' }),
    });
    const result = parseToolCalls(sse([{ choices: [choice(0, 'a'), choice(1, 'b')] }, CHAT_END]));
    expect([brief(result), codes(result)]).toEqual([[['a', {}]], ['choice-ignored']]);
  });

  it('unwraps parallel uses', () => {
    const uses = [
      { recipient_name: 'functions.a', parameters: { n: 1 } },
      { recipient_name: 'functions.b', parameters: { n: 2 } },
    ];
    const args = JSON.stringify({ tool_uses: uses });
    const events = [
      ...chatEvents(calls({ index: 0, id: 'p', name: 'multi_tool_use.parallel', args })),
      CHAT_END,
    ];
    const result = parseToolCalls(sse(events), { tools: [{ name: 'a' }, { name: 'b' }] });
    expect(result.calls.map(({ id, name, arguments: parameters }) => [id, name, parameters])).toEqual([
      ['p_1', ...A],
      ['p_2', ...B],
    ]);
  });
});
