import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/domain/message.js';
import { ScriptedAgent } from '../../src/testing/scripted-agent.js';
import { runStep, toolOf } from '../support/loop-fixture.js';

const writes = (...texts: string[]) =>
  new ScriptedAgent(
    texts.map((text) => ({ text })),
    { toolProtocol: 'text' },
  );
const PROMPT: Message = { role: 'user', content: 'go' };
const radio = { id: 'radio', open: 'OVER TO {name}', close: 'OUT', body: { kind: 'json' } };

describe('the replies of an agent that only writes text', () => {
  it('hold calls in any known format, and in those of the workflow', async () => {
    const agent = writes(
      'OVER TO add {"a": 1} OUT\n<tool_call>{"name": "add", "arguments": {"a": 2}}</tool_call>',
      'done',
    );
    const { state } = await runStep({ agent, tools: [toolOf('add')], formats: [radio] });
    expect(state.toolCalls).toMatchObject([
      { id: 'call_1_1', tool: 'add', arguments: { a: 1 } },
      { id: 'call_1_2', tool: 'add', arguments: { a: 2 } },
    ]);
    expect(state.output).toBe('done');
  });

  it('hold no calls in a format that nobody declared', async () => {
    const text = 'OVER TO add {"a": 1} OUT';
    const { state } = await runStep({ agent: writes(text), tools: [toolOf('add')] });
    expect([state.toolCalls, state.output]).toEqual([[], text]);
  });

  it('get an answer to a call that no tool may get', async () => {
    const agent = writes('<tool_call>{"name":"add","arguments":{"__proto__":{"a":1}}}</tool_call>', 'ok');
    const { state } = await runStep({ agent, tools: [toolOf('add')] });
    expect(state.toolCalls).toMatchObject([{ result: { error: { code: 'EXECUTION.CALL.INCOMPLETE' } } }]);
  });
});

describe('the ids of calls', () => {
  const calling = (id: string) => ({ text: '', calls: [{ id, name: 'add', arguments: {} }] });
  const idsOf = async (agent: ScriptedAgent, messages: readonly Message[] = [PROMPT]) =>
    (await runStep({ agent, messages, tools: [toolOf('add')] })).state.toolCalls.map(({ id }) => id);

  it("are the provider's own, unless they are missing or were used before", async () => {
    const agent = new ScriptedAgent([
      calling('a'),
      calling('b'),
      calling('a'),
      calling(''),
      { text: 'done' },
    ]);
    expect(await idsOf(agent)).toEqual(['a', 'b', 'call_3_1', 'call_4_1']);
  });

  it('are none of those in the history that a step goes on from', async () => {
    const earlier: readonly Message[] = [
      PROMPT,
      { role: 'assistant', content: '', calls: [{ id: 'call_1_1', name: 'add', arguments: {} }] },
      { role: 'tool', results: [{ callId: 'call_1_1', tool: 'add', output: 'ok', isError: false }] },
      PROMPT,
    ];
    const written = '<tool_call>{"name": "add", "arguments": {}}</tool_call>';
    expect(await idsOf(writes(written, written, 'done'), earlier)).toEqual(['call_1_1_2', 'call_2_1']);
  });
});
