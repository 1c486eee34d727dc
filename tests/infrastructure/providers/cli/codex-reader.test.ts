import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { CodexReader } from '../../../../src/infrastructure/providers/cli/codex-reader.js';

function eventsOf(...lines: readonly JsonObject[]) {
  const reader = new CodexReader();
  return lines.flatMap((line) => reader.read(line));
}

const item = (state: 'started' | 'completed', fields: JsonObject) => ({
  type: `item.${state}`,
  item: fields,
});

describe('CodexReader', () => {
  it('reads a whole turn', () => {
    expect(
      eventsOf(
        { type: 'thread.started', thread_id: 't-1' },
        item('completed', { id: 'item_0', type: 'error', message: 'Model metadata not found' }),
        { type: 'turn.started' },
        item('started', { id: 'item_1', type: 'mcp_tool_call', server: 'toolgate', tool: 'read_file' }),
        item('completed', { id: 'item_1', type: 'mcp_tool_call', server: 'toolgate', tool: 'read_file' }),
        item('completed', { id: 'item_2', type: 'agent_message', text: 'done' }),
        {
          type: 'turn.completed',
          usage: {
            input_tokens: 100,
            cached_input_tokens: 40,
            cache_write_input_tokens: 0,
            output_tokens: 9,
          },
        },
      ),
    ).toEqual([
      { kind: 'session', id: 't-1' },
      { kind: 'message', text: 'done' },
      { kind: 'usage', usage: { inputTokens: 100, outputTokens: 9, cacheReadTokens: 40 } },
      { kind: 'end' },
    ]);
  });

  it('tells once of each tool of its own, and of tools of other servers', () => {
    const shell = { id: 'item_1', type: 'command_execution', command: 'ls' };
    const other = { id: 'item_2', type: 'mcp_tool_call', server: 'other', tool: 'x', arguments: { a: 1 } };
    const unheardOf = { id: 'item_3', type: 'teleport' };
    expect(
      eventsOf(
        item('started', shell),
        item('completed', shell),
        item('started', other),
        item('started', unheardOf),
      ),
    ).toEqual([
      { kind: 'own-tool', tool: 'command_execution', arguments: { command: 'ls' } },
      { kind: 'own-tool', tool: 'other.x', arguments: { arguments: { a: 1 } } },
      { kind: 'own-tool', tool: 'teleport', arguments: {} },
    ]);
  });

  it('fails with a failed turn, not with an attempt that is made again', () => {
    const attempt = { type: 'error', message: 'Reconnecting... 2/5' };
    expect(eventsOf(attempt)).toEqual([]);
    expect(eventsOf(attempt, { type: 'turn.failed', error: { message: 'bad request' } })).toEqual([
      { kind: 'error', message: 'bad request' },
    ]);
    expect(eventsOf(attempt, { type: 'turn.failed' })).toEqual([
      { kind: 'error', message: 'Reconnecting... 2/5' },
    ]);
  });
});
