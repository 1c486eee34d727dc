import type { GenerateContentParameters, GenerateContentResponse, Part } from '@google/genai';
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool, type Tool } from '../../../../src/domain/tool.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import type { AgentReply } from '../../../../src/ports/agent-provider.js';
import { describeAgentProviderContract } from '../../../contracts/agent-provider.contract.js';
import { events, json } from '../../../support/fake-model/answers.js';
import {
  type Answer,
  FakeModelServer,
  type SeenRequest,
} from '../../../support/fake-model/fake-model-server.js';
import { GOOGLE_WIRE, responseOf, responsesOf } from '../../../support/fake-model/google-wire.js';

describeAgentProviderContract(GOOGLE_WIRE);

const PROMPT: Message = { role: 'user', content: 'go' };
const LOOK = createTool({ name: 'look', description: 'Looks.', sideEffects: 'none' });

interface Trial {
  readonly options?: JsonObject;
  readonly messages?: readonly Message[];
  readonly tools?: readonly Tool[];
}

async function ask(
  answers: readonly Answer[],
  { options = {}, messages = [PROMPT], tools = [] }: Trial = {},
): Promise<AgentReply & { readonly seen: readonly SeenRequest[]; readonly shown: string }> {
  await using server = await FakeModelServer.start();
  server.will(...answers);
  const agent = await new ProviderRegistry({ env: GOOGLE_WIRE.env }).create('google', {
    model: 'gemini-2.5-pro',
    base_url: server.url,
    ...options,
  });
  const shown: string[] = [];
  const context = { signal: new AbortController().signal, onText: (text: string) => void shown.push(text) };
  const reply = await agent.complete({ messages, tools, options: {} }, context);
  return { ...reply, seen: server.seen, shown: shown.join('') };
}

const said = (text: string) => events(responsesOf([{ text }]));

describe('GoogleAgent', () => {
  it('sends no text without words, which the API refuses', async () => {
    const messages: readonly Message[] = [
      { role: 'system', content: '' },
      { role: 'user', content: '' },
    ];
    const { seen } = await ask([said('ok')], { messages });
    expect(seen[0]?.body).toEqual({ contents: [{ role: 'user', parts: [{ text: '(empty)' }] }] });
  });

  it('takes the list of responses that comes without alt=sse', async () => {
    const list = [...responsesOf([{ text: 'Hello, ' }]).slice(0, -1), ...responsesOf([{ text: 'you.' }])];
    const { message, shown } = await ask([json(list)]);
    expect(shown).toBe(message.content);
    expect(message.content).toMatch(/you\.$/);
  });

  it("sends what Google's own client would send", async () => {
    const messages: readonly Message[] = [
      { role: 'system', content: 'Be brief.' },
      PROMPT,
      { role: 'assistant', content: 'I look.', calls: [{ id: 'a', name: 'look', arguments: { x: 1 } }] },
      { role: 'tool', results: [{ callId: 'a', tool: 'look', output: 'no', isError: true }] },
    ];
    const options = {
      max_tokens: 100,
      temperature: 0.5,
      thinking: { thinkingBudget: 0 },
      extra: { labels: { team: 'x' }, generationConfig: { topK: 3 } },
    };
    const { seen } = await ask([said('ok')], { messages, options, tools: [LOOK] });
    const contents = [
      { role: 'user', parts: [{ text: 'go' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          {
            functionCall: { id: 'a', name: 'look', args: { x: 1 } },
            thoughtSignature: 'skip_thought_signature_validator',
          },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'look', response: { error: 'no' } } }] },
    ] satisfies GenerateContentParameters['contents'];
    const tools = [
      {
        functionDeclarations: [
          {
            name: 'look',
            description: 'Looks.',
            parametersJsonSchema: { type: 'object', properties: {}, additionalProperties: false },
          },
        ],
      },
    ] satisfies NonNullable<GenerateContentParameters['config']>['tools'];
    expect(seen[0]?.body).toEqual({
      labels: { team: 'x' },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools,
      generationConfig: {
        topK: 3,
        maxOutputTokens: 100,
        temperature: 0.5,
        thinkingConfig: { thinkingBudget: 0 },
      },
      contents,
    });
    expect(seen[0]).toMatchObject({
      path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': 'key-of-google-1234' },
    });
  });

  it.each([true, false])('reads what the API may write, streamed: %s', async (stream) => {
    const parts = [
      { text: 'Let me think.', thought: true },
      { text: 'I look.' },
      { functionCall: { id: 'f1', name: 'look', args: { x: 1 } }, thoughtSignature: 'AAAA' },
      { functionCall: { name: 'look' } },
      { text: '', thoughtSignature: 'BBBB' },
    ] satisfies Part[];
    const usage = {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 90,
    } satisfies GenerateContentResponse['usageMetadata'];
    const chunks = [...parts.map((part) => responseOf([part as Json])), responseOf([], 'STOP', usage)];
    const answer = stream ? events(chunks) : json(responseOf(parts as readonly Json[], 'STOP', usage));
    const { message, usage: used, shown } = await ask([answer], { options: { stream } });
    expect(message).toEqual({
      role: 'assistant',
      content: 'I look.',
      calls: [
        { id: 'f1', name: 'look', arguments: { x: 1 } },
        { id: '', name: 'look', arguments: {} },
      ],
      raw: { role: 'model', parts },
    });
    expect(shown).toBe('I look.');
    expect(used).toEqual({
      inputTokens: 1_000,
      outputTokens: 100,
      cacheReadTokens: 400,
      costUsd: expect.closeTo((600 * 1.25 + 400 * 0.125 + 100 * 10) / 1e6, 12),
    });
  });

  it('has the price of long prompts', async () => {
    const usage = { promptTokenCount: 200_001, candidatesTokenCount: 0 };
    const { usage: used } = await ask([json(responseOf([{ text: 'x' }], 'STOP', usage))]);
    expect(used?.costUsd).toBeCloseTo((200_001 * 2.5) / 1e6, 10);
  });

  it('gives back only the ids that the API gave', async () => {
    const raw = {
      role: 'model',
      parts: [
        { functionCall: { id: 'theirs', name: 'a', args: {} } },
        { functionCall: { name: 'b', args: {} } },
      ],
    };
    const calls = ['theirs', 'call_1_2'].map((id) => ({ id, name: 'x', arguments: {} }));
    const results = [
      { callId: 'theirs', tool: 'a', output: '1', isError: false },
      { callId: 'call_1_2', tool: 'b', output: '2', isError: false },
    ];
    const { seen } = await ask([said('ok')], {
      messages: [PROMPT, { role: 'assistant', content: '', calls, raw }, { role: 'tool', results }],
    });
    expect([seen[0]?.body.contents].flat()[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: 'theirs', name: 'a', response: { output: '1' } } },
        { functionResponse: { name: 'b', response: { output: '2' } } },
      ],
    });
  });

  it('marks a call that the reply was cut off in', async () => {
    const answer = events([responseOf([{ functionCall: { name: 'write', args: {} } }], 'MAX_TOKENS')]);
    expect((await ask([answer])).message).toMatchObject({
      cutOff: true,
      calls: [{ name: 'write', complete: false }],
    });
  });

  it('sees calls whatever reason is given for the end', async () => {
    for (const reason of ['STOP', 'FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']) {
      const answer = events([responseOf([{ functionCall: { name: 'look', args: {} } }], reason)]);
      expect((await ask([answer])).message.calls).toHaveLength(1);
    }
  });

  it('asks once more when the model could not spell its call, and fails in the end', async () => {
    const malformed = events([responseOf([], 'MALFORMED_FUNCTION_CALL')]);
    const { message, usage, contextTokens } = await ask([malformed, malformed, said('ok')]);
    expect({ message, usage }).toMatchObject({ message: { content: 'ok' }, usage: { inputTokens: 300 } });
    expect(contextTokens).toBeLessThan(200);
    await expect(ask([malformed, malformed, malformed, said('ok')])).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.BAD_REPLY',
      message: 'google: no usable reply (MALFORMED_FUNCTION_CALL)',
    });
  });

  it.each<[string, Json]>([
    [
      'a blocked prompt',
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 100 } },
    ],
    ['an answer that is held back', responseOf([], 'PROHIBITED_CONTENT')],
    ['an answer that stops', responseOf([{ text: 'We' }], 'SAFETY')],
  ])('fails on %s', async (_name, response) => {
    await expect(ask([events([response])])).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.REFUSED',
      usage: { inputTokens: 100, costUsd: expect.any(Number) },
      message: expect.stringMatching(/^google: the model refuses to answer: /),
    });
  });

  it('hears of an error in the middle of a stream', async () => {
    const error = { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } };
    await expect(ask([events([responseOf([{ text: 'We' }]), error])])).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.OVERLOADED',
      message: 'google: 503 UNAVAILABLE: The model is overloaded.',
    });
  });

  it('takes names with their folder', async () => {
    const { seen } = await ask([json(responseOf([{ text: 'x' }], 'STOP'))], {
      options: { model: 'tunedModels/mine', stream: false },
    });
    expect(seen[0]?.path).toBe('/v1beta/tunedModels/mine:generateContent');
  });
});
