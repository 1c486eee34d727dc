import { describe, expect, it } from '@jest/globals';
import { ScriptedAgent } from '../../src/testing/scripted-agent.js';
import { runStep, toolOf } from '../support/loop-fixture.js';

const writes = (...texts: string[]) =>
  new ScriptedAgent(
    texts.map((text) => ({ text })),
    { toolProtocol: 'text' },
  );
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
