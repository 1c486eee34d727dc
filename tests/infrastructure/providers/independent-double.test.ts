import { LLMock } from '@copilotkit/aimock';
import { describe, expect, it } from '@jest/globals';
import { ProviderRegistry } from '../../../src/infrastructure/providers/provider-registry.js';
import { runStep, toolOf } from '../../support/loop-fixture.js';

/** A server that others wrote, after the same APIs: what we misread in both client and fake shows here. */
describe.each([
  ['anthropic', 'claude-sonnet-4-5', {}],
  ['google', 'gemini-2.5-flash', {}],
  ['openai', 'gpt-5', {}],
  ['openai', 'gpt-4.1', { api: 'chat' }],
  ['openai_compatible', 'some-model', {}],
  ['ollama', 'qwen3', {}],
])('the provider "%s" with %s on a server of others', (provider, model, own) => {
  it.each([true, false])('makes two calls and ends, streamed: %s', async (stream) => {
    const mock = new LLMock({ port: 0 });
    const calls = [
      { name: 'look', arguments: JSON.stringify({ path: 'a.txt' }) },
      { name: 'look', arguments: JSON.stringify({ path: 'b.txt' }) },
    ];
    mock.addFixture({ match: { userMessage: 'go', hasToolResult: false }, response: { toolCalls: calls } });
    mock.addFixture({ match: { hasToolResult: true }, response: { content: 'Both are there.' } });
    await mock.start();
    try {
      const env = {
        ANTHROPIC_API_KEY: 'k-123456',
        GOOGLE_API_KEY: 'k-123456',
        OPENAI_API_KEY: 'k-123456',
      };
      const options = { model, base_url: mock.url, stream, ...own };
      const agent = await new ProviderRegistry({ env }).create(provider, options);
      const tools = [toolOf('look', ({ path }) => `${path} is there`)];
      const { state } = await runStep({ agent, tools, messages: [{ role: 'user', content: 'go' }] });
      expect(state).toMatchObject({ output: 'Both are there.', stoppedBy: 'completed', turns: 2 });
      expect(state.toolCalls.map(({ result }) => result.output)).toEqual([
        'a.txt is there',
        'b.txt is there',
      ]);
      expect(new Set(state.toolCalls.map(({ id }) => id)).size).toBe(2);
    } finally {
      await mock.stop();
    }
  });
});
