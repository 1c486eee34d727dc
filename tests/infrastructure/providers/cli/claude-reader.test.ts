import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { ClaudeReader } from '../../../../src/infrastructure/providers/cli/claude-reader.js';

function eventsOf(...lines: readonly JsonObject[]) {
  const reader = new ClaudeReader();
  return lines.flatMap((line) => reader.read(line));
}

const INIT = {
  type: 'system',
  subtype: 'init',
  session_id: 's-1',
  tools: ['mcp__toolgate__read_file'],
  mcp_servers: [{ name: 'toolgate', status: 'connected' }],
};
const USAGE = {
  input_tokens: 10,
  cache_read_input_tokens: 90,
  cache_creation_input_tokens: 5,
  output_tokens: 7,
};
const assistant = (id: string, ...content: readonly JsonObject[]) => ({
  type: 'assistant',
  message: { id, role: 'assistant', content, usage: USAGE },
  session_id: 's-1',
});

describe('ClaudeReader', () => {
  it('knows the session as soon as it begins', () => {
    expect(eventsOf(INIT)).toEqual([{ kind: 'session', id: 's-1' }]);
  });

  it('warns of tools that are not ours, and fails where our server did not start', () => {
    const line = {
      ...INIT,
      tools: ['Bash', 'mcp__toolgate__x'],
      mcp_servers: [{ name: 'toolgate', status: 'failed' }],
    };
    expect(eventsOf(line).slice(1)).toEqual([
      { kind: 'warning', message: 'has tools of its own: Bash' },
      { kind: 'no-tools', message: expect.stringContaining('MCP server') },
    ]);
  });

  it('gives text as it comes, and once more as a message', () => {
    const part = (text: string) => ({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    });
    expect(eventsOf(part('a'), part('b'), assistant('m1', { type: 'text', text: 'ab' }))).toMatchObject([
      { kind: 'delta', text: 'a' },
      { kind: 'delta', text: 'b' },
      { kind: 'message', text: 'ab' },
      {
        kind: 'usage',
        usage: { inputTokens: 105, outputTokens: 7, cacheReadTokens: 90, cacheWriteTokens: 5 },
      },
    ]);
  });

  it('counts a message once that comes in several lines', () => {
    const events = eventsOf(
      assistant('m1', { type: 'text', text: 'a' }),
      assistant('m1', { type: 'tool_use', id: 't', name: 'mcp__toolgate__read_file', input: {} }),
      assistant('m2', { type: 'text', text: 'b' }),
    );
    const usages = events.flatMap((event) => (event.kind === 'usage' ? [event.usage.inputTokens] : []));
    expect(usages).toEqual([105, 105, 210]);
  });

  it('tells of a tool of its own, but not of one that the model made up', () => {
    const use = (name: string) =>
      assistant(name, { type: 'tool_use', id: 't', name, input: { command: 'ls' } });
    const events = eventsOf(
      { ...INIT, tools: ['Bash'] },
      use('Bash'),
      use('Imagined'),
      use('mcp__toolgate__x'),
    );
    expect(events.filter(({ kind }) => kind === 'own-tool')).toEqual([
      { kind: 'own-tool', tool: 'Bash', arguments: { command: 'ls' } },
    ]);
  });

  it('goes by is_error, whatever the subtype says', () => {
    const result = {
      type: 'result',
      subtype: 'success',
      result: 'API Error: 400',
      usage: USAGE,
      total_cost_usd: 0.5,
    };
    expect(eventsOf({ ...result, is_error: true }).at(-1)).toEqual({
      kind: 'error',
      message: 'API Error: 400',
    });
    expect(eventsOf({ ...result, is_error: false, result: 'done' })).toMatchObject([
      { kind: 'usage', usage: { costUsd: 0.5 } },
      { kind: 'message', text: 'done' },
      { kind: 'end' },
    ]);
    expect(eventsOf({ type: 'result', subtype: 'error_max_turns', is_error: true }).at(-1)).toEqual({
      kind: 'error',
      message: 'ended with error_max_turns',
    });
  });

  it.each<JsonObject>([
    {},
    { type: 'assistant' },
    { type: 'assistant', message: 'x' },
    { type: 'stream_event', event: [] },
    { type: 'system', subtype: 'init', tools: 7, mcp_servers: null },
    { type: 'result', usage: { input_tokens: 'many' } },
  ])('reads %j without failing', (line) => {
    expect(() => eventsOf(line)).not.toThrow();
  });
});
