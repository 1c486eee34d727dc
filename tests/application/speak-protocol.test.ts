import { describe, expect, it } from '@jest/globals';
import { speakProtocol } from '../../src/application/speak-protocol.js';
import { createTool } from '../../src/domain/tool.js';
import type { ToolProtocol } from '../../src/domain/workflow.js';
import type { AgentProvider } from '../../src/ports/agent-provider.js';

const tools = [createTool({ name: 'look' })];

function agentWith(toolProtocol: AgentProvider['toolProtocol']): AgentProvider {
  const complete = async () => ({ message: { role: 'assistant', content: '', calls: [] } }) as const;
  return { name: 'some', complete, ...(toolProtocol ? { toolProtocol } : {}) };
}

describe('speakProtocol', () => {
  it.each([
    [undefined, undefined, 'as it is'],
    [undefined, 'auto', 'as it is'],
    [undefined, 'native', 'as it is'],
    [undefined, 'text', 'in text'],
    ['native', 'text', 'in text'],
    ['text', undefined, 'as it is'],
    ['text', 'text', 'as it is'],
    ['none', undefined, 'in text'],
    ['none', 'auto', 'in text'],
    ['none', 'text', 'in text'],
  ] as const)('speaks to an agent with %s when the step says %s: %s', async (has, wants, how) => {
    const agent = agentWith(has);
    const spoken = await speakProtocol(agent, tools, wants ? { protocol: wants as ToolProtocol } : {});
    expect(spoken === agent ? 'as it is' : 'in text').toBe(how);
    if (spoken !== agent) expect(spoken).toMatchObject({ name: 'some', toolProtocol: 'text' });
  });

  it('leaves an agent alone that has no tools to hear of', async () => {
    const agent = agentWith('none');
    expect(await speakProtocol(agent, [], {})).toBe(agent);
  });

  it.each(['none', 'text'] as const)('refuses native tools for an agent with %s', async (has) => {
    await expect(speakProtocol(agentWith(has), tools, { protocol: 'native' })).rejects.toMatchObject({
      code: 'WORKFLOW.PROVIDER.NO_NATIVE_TOOLS',
      message: expect.stringContaining('tool_protocol: text'),
    });
  });
});
