import { describe, expect, it } from '@jest/globals';
import { type ChatRequest, Ollama } from 'ollama';
import type { JsonObject } from '../../../../src/domain/json.js';
import { createTool } from '../../../../src/domain/tool.js';
import { createOllama } from '../../../../src/infrastructure/providers/ollama/ollama-agent.js';
import { json, page } from '../../../support/fake-model/answers.js';
import { askOnce } from '../../../support/fake-model/ask-once.js';
import { type Answer, FakeModelServer } from '../../../support/fake-model/fake-model-server.js';
import { END, line, lines, OLLAMA_WIRE, ollamaMessage } from '../../../support/fake-model/ollama-wire.js';

const look = createTool({
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object', properties: {} },
});
const TURN = { text: 'I look.', calls: [{ id: '', name: 'look', arguments: { at: 'door' } }] };

function ask(answer: Answer, options: JsonObject = {}) {
  const make = (base_url: string) =>
    createOllama({ model: 'qwen3', base_url, max_retries: 0, ...options }, { env: {} });
  return askOnce(answer, make, { messages: [{ role: 'user', content: 'go' }], tools: [look], options: {} });
}

describe('Ollama', () => {
  it('is asked as its API wants to be asked, without a key', async () => {
    const options = { think: true, num_ctx: 8192, max_tokens: 100, temperature: 0 };
    const { body, request } = await ask(OLLAMA_WIRE.answer(TURN, true), {
      ...options,
      extra: { keep_alive: '10m', options: { seed: 7 } },
    });
    const expected = {
      keep_alive: '10m',
      model: 'qwen3',
      stream: true,
      think: true,
      options: { seed: 7, temperature: 0, num_predict: 100, num_ctx: 8192 },
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Looks',
            parameters: { type: 'object', properties: {}, additionalProperties: false } as never,
          },
        },
      ],
      messages: [{ role: 'user', content: 'go' }],
    } satisfies ChatRequest;
    expect(body).toEqual(expected);
    expect(request?.path).toBe('/api/chat');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  it('is read as the official client reads it', async () => {
    await using server = await FakeModelServer.start();
    server.will(OLLAMA_WIRE.answer(TURN, false));
    const official = await new Ollama({ host: server.url }).chat({ model: 'qwen3', messages: [] });
    const { value } = await ask(OLLAMA_WIRE.answer(TURN, true));
    expect(value?.message).toMatchObject({
      content: official.message.content,
      raw: { ollama: official.message },
    });
    expect(value?.message.calls).toEqual([{ id: '', name: 'look', arguments: { at: 'door' } }]);
    expect(value?.usage).toEqual({
      inputTokens: official.prompt_eval_count,
      outputTokens: official.eval_count,
    });
  });

  it('may say that there is no error', async () => {
    const { value } = await ask(lines([{ ...line(ollamaMessage({ text: 'Hi.' }), END), error: null }]));
    expect(value?.message.content).toBe('Hi.');
  });

  it('may write its reply over many lines, streamed or not', async () => {
    const text = JSON.stringify(line(ollamaMessage(TURN), END), null, 2);
    for (const stream of [true, false]) {
      const { value, shown } = await ask(page(text, 200, 'application/json'), { stream });
      expect({ said: value?.message, shown }).toMatchObject({
        said: { content: 'I look.', calls: [{ name: 'look' }] },
        shown: 'I look.',
      });
    }
  });

  it('knows a way out for a model without tools', async () => {
    const { error } = await ask(json({ error: 'gemma:2b does not support tools' }, 400));
    expect(error).toMatchObject({
      message: expect.stringMatching(/does not support tools; .*`tool_protocol: text`$/),
    });
  });

  it('does not run a call that was cut off', async () => {
    const { value } = await ask(json(line(ollamaMessage(TURN), { ...END, done_reason: 'length' })), {
      stream: false,
    });
    expect(value?.message).toMatchObject({ cutOff: true, calls: [{ complete: false }] });
  });

  it.each([
    [
      'an error in the middle',
      lines([line({ role: 'assistant', content: 'I ' }), { error: 'out of memory' }]),
      'out of memory',
    ],
    ['no end', lines([line({ role: 'assistant', content: 'I ' })]), 'ended before'],
    ['a model that is not there', json({ error: "model 'qwen3' not found" }, 404), "model 'qwen3' not found"],
  ])('fails on %s', async (_what, answer, words) => {
    const { error } = await ask(answer);
    expect(error).toMatchObject({
      code: expect.stringMatching(/^EXECUTION\.PROVIDER\./),
      message: expect.stringContaining(words),
    });
  });
});
