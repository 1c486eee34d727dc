import {
  APICallError,
  type LanguageModelV2,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { describe, expect, it } from '@jest/globals';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { AiSdkAgent } from '../../src/ai-sdk/ai-sdk-agent.js';
import { createTool } from '../../src/domain/tool.js';
import { FakeModelServer } from '../support/fake-model/fake-model-server.js';
import { runStep, toolOf } from '../support/loop-fixture.js';

const never = new AbortController().signal;
const look = createTool({ name: 'look', description: 'Looks' });
const hello = { messages: [{ role: 'user', content: 'Hello' }], tools: [look], options: {} } as const;

const usage = {
  inputTokens: { total: 10, noCache: 7, cacheRead: 2, cacheWrite: 1 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const ended = (unified: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'error') =>
  ({ type: 'finish', usage, finishReason: { unified, raw: unified } }) as const;
const signed = (signature: string) => ({ provider: { signature } });

function streaming(...turns: readonly (readonly LanguageModelV3StreamPart[])[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: turns.map((parts) => ({ stream: convertArrayToReadableStream([...parts]) })),
  });
}

const TWO_CALLS: readonly LanguageModelV3StreamPart[] = [
  { type: 'stream-start', warnings: [] },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'Two things' },
  { type: 'reasoning-end', id: 'r', providerMetadata: signed('thought') },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'I ' },
  { type: 'text-delta', id: 't', delta: 'look.' },
  { type: 'text-end', id: 't' },
  { type: 'tool-input-start', id: 'a', toolName: 'look' },
  { type: 'tool-input-delta', id: 'a', delta: '{"at":"door"}' },
  { type: 'tool-input-end', id: 'a' },
  {
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'look',
    input: '{"at":"door"}',
    providerMetadata: signed('call'),
  },
  { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '' },
  ended('tool-calls'),
];
const DONE: readonly LanguageModelV3StreamPart[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Done.' },
  { type: 'text-end', id: 't' },
  ended('stop'),
];

describe('AiSdkAgent', () => {
  it('drives our loop: parallel calls, signatures replayed, usage counted', async () => {
    const model = streaming(TWO_CALLS, DONE);
    const agent = new AiSdkAgent(model, { settings: { temperature: 0 } });
    const { state, events } = await runStep({
      agent,
      tools: [
        toolOf('look', ({ at }) => {
          if (at === undefined) throw new Error('nowhere');
          return `at the ${at}`;
        }),
      ],
    });
    expect(state).toMatchObject({
      output: 'Done.',
      toolCalls: [
        { id: 'a', arguments: { at: 'door' }, result: { success: true } },
        { id: 'b', arguments: {}, result: { success: false } },
      ],
      usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 2 },
    });
    const shown = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(shown).toEqual(['I ', 'look.', 'Done.']);
    const [first, second] = model.doStreamCalls;
    expect(first).toMatchObject({ temperature: 0, toolChoice: { type: 'auto' }, tools: [{ name: 'look' }] });
    expect(second?.prompt).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Two things', providerOptions: signed('thought') },
          { type: 'text', text: 'I look.' },
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'look',
            input: { at: 'door' },
            providerOptions: signed('call'),
          },
          { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'look',
            output: { type: 'text', value: 'at the door' },
          },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'look',
            output: { type: 'error-text', value: expect.stringContaining('nowhere') },
          },
        ],
      },
    ]);
  });

  it('keeps a reply as JSON, so that a run can be resumed with it', async () => {
    const { message } = await new AiSdkAgent(streaming(TWO_CALLS)).complete(hello, { signal: never });
    expect(JSON.parse(JSON.stringify(message))).toEqual(message);
  });

  it('gives the same for a reply that comes whole', async () => {
    const content: LanguageModelV3GenerateResult['content'] = [
      { type: 'reasoning', text: 'Two things', providerMetadata: signed('thought') },
      { type: 'text', text: 'I look.' },
      {
        type: 'tool-call',
        toolCallId: 'a',
        toolName: 'look',
        input: '{"at":"door"}',
        providerMetadata: signed('call'),
      },
      { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: '' },
    ];
    const finishReason = { unified: 'tool-calls', raw: undefined } as const;
    const model = new MockLanguageModelV3({ doGenerate: { content, finishReason, usage, warnings: [] } });
    const whole = await new AiSdkAgent(model, { stream: false }).complete(hello, { signal: never });
    expect(whole).toEqual(await new AiSdkAgent(streaming(TWO_CALLS)).complete(hello, { signal: never }));
  });

  it('does not follow arguments that are nested without end', async () => {
    const input = `{"at":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const model = streaming(
      [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input }, ended('stop')],
      DONE,
    );
    const { state } = await runStep({ agent: new AiSdkAgent(model), tools: [toolOf('look')] });
    expect(state).toMatchObject({ output: 'Done.', toolCalls: [{ id: 'a', result: { success: false } }] });
  });

  it('takes models of version 5', async () => {
    const model: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'old',
      modelId: 'model',
      supportedUrls: {},
      doGenerate: async () => {
        throw new Error('not asked');
      },
      doStream: async () => ({
        stream: convertArrayToReadableStream([
          { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"at":' },
          {
            type: 'finish',
            finishReason: 'length',
            usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 2 },
          },
        ]),
      }),
    };
    const agent = new AiSdkAgent(model);
    expect(agent.name).toBe('old/model');
    expect(await agent.complete(hello, { signal: never })).toMatchObject({
      message: { calls: [{ id: 'a', arguments: '{"at":', complete: false }] },
      usage: { inputTokens: 3, outputTokens: 4, cacheReadTokens: 2 },
    });
  });

  it('gives calls back under the ids of their results, where the model repeats its ids', async () => {
    const model = streaming(TWO_CALLS, TWO_CALLS, DONE);
    await runStep({ agent: new AiSdkAgent(model), tools: [toolOf('look', () => 'seen')] });
    const ids = (model.doStreamCalls[2]?.prompt ?? []).flatMap(({ role, content }) =>
      role === 'assistant' || role === 'tool'
        ? [content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))]
        : [],
    );
    expect(ids).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['call_2_1', 'call_2_2'],
      ['call_2_1', 'call_2_2'],
    ]);
  });

  it('still describes the tools on the last turn, and lets none be called', async () => {
    const model = streaming(DONE, DONE);
    const agent = new AiSdkAgent(model);
    await agent.complete(hello, { signal: never });
    await agent.complete({ ...hello, tools: [] }, { signal: never });
    expect(model.doStreamCalls[1]).toMatchObject({ tools: [{ name: 'look' }], toolChoice: { type: 'none' } });
  });

  it.each([
    ['an error in the stream', [{ type: 'error', error: new Error('overloaded') }], 'FAILED', 'overloaded'],
    ['a stream that breaks off', TWO_CALLS.slice(0, 5), 'BAD_REPLY', 'ended before the reply did'],
    ['an error that is only told as data', [{ type: 'error', error: { message: 'busy' } }], 'FAILED', 'busy'],
    ['a reply that ends with an error', [ended('error')], 'FAILED', 'ended its reply with an error'],
    ['a filtered reply', [ended('content-filter')], 'REFUSED', 'content filter'],
  ] as const)('fails with a code on %s', async (_what, parts, code, words) => {
    const asked = new AiSdkAgent(streaming(parts)).complete(hello, { signal: never });
    await expect(asked).rejects.toMatchObject({ code: `EXECUTION.PROVIDER.${code}` });
    await expect(asked).rejects.toThrow(words);
  });

  it.each([
    [401, 'AUTH'],
    [402, 'QUOTA'],
    [404, 'INVALID_REQUEST'],
    [408, 'TIMEOUT'],
    [429, 'RATE_LIMITED'],
    [500, 'FAILED'],
    [529, 'OVERLOADED'],
  ])(
    'tells a status of %i as our own providers do, without the key that it quotes',
    async (statusCode, code) => {
      await using server = await FakeModelServer.start();
      const key = `sk-${'Ab3'.repeat(16)}`;
      server.will((response) =>
        response
          .writeHead(statusCode, { 'content-type': 'text/plain' })
          .end(`Incorrect API key provided: ${key}`),
      );
      const model = new MockLanguageModelV3({
        doStream: async () => {
          const response = await fetch(server.url, { method: 'POST', body: '{}' });
          const message = await response.text();
          throw new APICallError({
            message,
            url: server.url,
            requestBodyValues: {},
            statusCode: response.status,
          });
        },
      });
      const { state } = await runStep({ agent: new AiSdkAgent(model, { name: 'theirs' }) });
      expect(state.error).toMatchObject({
        code: `EXECUTION.PROVIDER.${code}`,
        message: expect.stringMatching(new RegExp(`^theirs: ${statusCode}: Incorrect API key`)),
      });
      expect(JSON.stringify(state)).not.toContain(key);
    },
  );

  it('says what a reply has cost that ended with an error', async () => {
    const { state } = await runStep({ agent: new AiSdkAgent(streaming([ended('error')])) });
    expect(state).toMatchObject({ stoppedBy: 'error', usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it('ends the stream at its source when it is told to stop', async () => {
    const controller = new AbortController();
    let cancelled: unknown;
    const stream = new ReadableStream<LanguageModelV3StreamPart>({
      start: (source) => {
        source.enqueue({ type: 'text-start', id: 't' });
        source.enqueue({ type: 'text-delta', id: 't', delta: 'I ' });
      },
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const agent = new AiSdkAgent(new MockLanguageModelV3({ doStream: { stream } }));
    const stopped = new Error('stopped');
    const asked = agent.complete(hello, {
      signal: controller.signal,
      onText: () => controller.abort(stopped),
    });
    await expect(asked).rejects.toBe(stopped);
    expect(cancelled).toBe(stopped);
  });
});
