import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/domain/message.js';
import { ScriptedAgent } from '../../src/testing/scripted-agent.js';

const LIVE = { signal: new AbortController().signal };
const USER: Message = { role: 'user', content: 'go' };

describe('ScriptedAgent', () => {
  it('says its turns by their place in the transcript', async () => {
    const agent = new ScriptedAgent([
      { calls: [{ name: 'a' }, { id: 'own', name: 'b', arguments: { x: 1 } }] },
      { text: 'done', usage: { inputTokens: 1, outputTokens: 2 } },
    ]);
    const messages: Message[] = [USER];
    const first = await agent.complete({ messages, tools: [], options: {} }, LIVE);
    expect(first.message.calls).toEqual([
      { id: 'call_001', name: 'a', arguments: {} },
      { id: 'own', name: 'b', arguments: { x: 1 } },
    ]);
    messages.push(first.message, { role: 'tool', results: [] });
    expect(await agent.complete({ messages, tools: [], options: {} }, LIVE)).toEqual({
      message: { role: 'assistant', content: 'done', calls: [] },
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(agent.requests.map((request) => request.messages.length)).toEqual([1, 3]);
  });

  it('takes turns that are computed from the request, or are whole replies', async () => {
    const agent = new ScriptedAgent([
      ({ messages }) => ({ text: `heard ${messages.length}` }),
      async () => ({ message: { role: 'assistant', content: 'whole', calls: [] } }),
    ]);
    const ask = (offset: number) =>
      agent.complete({ messages: [USER], tools: [], options: { script_offset: offset } }, LIVE);
    expect((await ask(0)).message.content).toBe('heard 1');
    expect((await ask(1)).message.content).toBe('whole');
  });

  it('fails on a turn that nobody foresaw, as told to, and when the run is stopped', async () => {
    const request = { messages: [USER], tools: [], options: {} };
    await expect(new ScriptedAgent([]).complete(request, LIVE)).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.UNEXPECTED_TURN',
    });
    const fails = new ScriptedAgent([{ error: new Error('overloaded') }]);
    await expect(fails.complete(request, LIVE)).rejects.toThrow('overloaded');
    const stopped = new ScriptedAgent([{ text: 'x' }]).complete(request, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('stands in for every provider', async () => {
    const agent = new ScriptedAgent([], { name: 'mine', toolProtocol: 'text' });
    expect(await agent.create()).toBe(agent);
    expect(agent).toMatchObject({ name: 'mine', toolProtocol: 'text' });
  });
});
