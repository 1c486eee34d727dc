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

  describe('of a tool that is not ours', () => {
    const use = (name: string, id = 't') =>
      assistant(name, { type: 'tool_use', id, name, input: { command: 'ls' } });
    const result = (content: JsonObject[string], is_error?: boolean) => ({
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content, ...(is_error === undefined ? {} : { is_error }) },
        ],
      },
    });
    const own = (...lines: readonly JsonObject[]) =>
      eventsOf(...lines).filter(({ kind }) => kind === 'own-tool' || kind === 'warning');
    const BASH = { kind: 'own-tool', tool: 'Bash', arguments: { command: 'ls' } };

    it('tells at once, if it says that it has it', () => {
      expect(own({ ...INIT, tools: ['Bash'] }, use('Bash'), use('mcp__toolgate__x')).slice(1)).toEqual([
        BASH,
      ]);
    });

    it.each<[string, JsonObject]>([
      ['it is not in its list', INIT],
      ['it has no list', { ...INIT, tools: null }],
    ])('tells when it has run, though %s', (_, init) => {
      expect(own(init, use('Bash'), result('uid=0', false))).toEqual([BASH]);
      expect(own(init, use('Bash'), result([{ type: 'text', text: 'uid=0' }]))).toEqual([BASH]);
    });

    it('tells when it has failed: it may have done something before', () => {
      expect(own(INIT, use('Bash'), result('Exit code 1\nNo such tool available: x', true))).toEqual([BASH]);
      expect(own(INIT, use('Bash'), result('<tool_use_error>Error: No such tool available: Bash'))).toEqual([
        BASH,
      ]);
    });

    it.each<[JsonObject[string]]>([
      ['<tool_use_error>Error: No such tool available: Bash. It is not enabled.</tool_use_error>'],
      [[{ type: 'text', text: "Claude requested permissions to use Bash, but you haven't granted it yet." }]],
      ['Permission to use Bash has been denied.'],
    ])('only warns when it was refused: %j', (content) => {
      expect(own(INIT, use('Bash'), result(content, true))).toEqual([
        { kind: 'warning', message: 'tried a tool that is not ours, and was refused: Bash' },
      ]);
    });

    it('tells at the end, if nothing was ever heard of it again', () => {
      const reader = new ClaudeReader();
      for (const line of [INIT, use('Bash', 'a'), use('Write', 'b'), use('mcp__toolgate__x', 'c')])
        reader.read(line);
      expect(reader.end()).toMatchObject([BASH, { kind: 'own-tool', tool: 'Write' }]);
      expect(reader.end()).toEqual([]);
    });
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
    { type: 'user', message: { content: 'x' } },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 7, content: 7 }] } },
    { type: 'system', subtype: 'init', tools: 7, mcp_servers: null },
    { type: 'result', usage: { input_tokens: 'many' } },
  ])('reads %j without failing', (line) => {
    expect(() => eventsOf(line)).not.toThrow();
  });
});
