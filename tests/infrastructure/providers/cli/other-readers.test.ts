import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { CliReader } from '../../../../src/infrastructure/providers/cli/cli-driver.js';
import { CopilotReader } from '../../../../src/infrastructure/providers/cli/copilot-reader.js';
import { GeminiReader } from '../../../../src/infrastructure/providers/cli/gemini-reader.js';
import { OpencodeReader } from '../../../../src/infrastructure/providers/cli/opencode-reader.js';

const eventsOf = (reader: CliReader, ...lines: readonly JsonObject[]) =>
  lines.flatMap((line) => reader.read(line));

describe('GeminiReader', () => {
  it('reads a turn with a call: what is said after it is the answer', () => {
    const said = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
    expect(
      eventsOf(
        new GeminiReader(),
        { type: 'init', session_id: 'g-1' },
        { type: 'message', role: 'user', content: 'go' },
        said('I look.'),
        { type: 'tool_use', tool_name: 'mcp_toolgate_gate_read_file', tool_id: 't1', parameters: {} },
        { type: 'tool_result', tool_id: 't1', status: 'success', output: 'x' },
        said('It '),
        said('says x.'),
        { type: 'result', status: 'success', stats: { input_tokens: 10, output_tokens: 2, cached: 4 } },
      ),
    ).toEqual([
      { kind: 'session', id: 'g-1' },
      { kind: 'delta', text: 'I look.' },
      { kind: 'message', text: 'I look.' },
      { kind: 'delta', text: 'It ' },
      { kind: 'delta', text: 'says x.' },
      { kind: 'usage', usage: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 } },
      { kind: 'message', text: 'It says x.' },
      { kind: 'end' },
    ]);
  });

  it('tells a tool of its own that may have run from one that was refused', () => {
    const use = (id: string) => ({
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: id,
      parameters: { command: 'ls' },
    });
    const result = (id: string, status: string, type = 'none') => ({
      type: 'tool_result',
      tool_id: id,
      status,
      error: { type, message: 'Tool "run_shell_command" not found.' },
    });
    const own = { kind: 'own-tool', tool: 'run_shell_command', arguments: { command: 'ls' } };
    const refused = { kind: 'warning', message: expect.stringContaining('run_shell_command') };
    const reader = new GeminiReader();
    const [ran, failed] = [
      [use('1'), result('1', 'success', 'tool_not_registered')],
      [use('2'), result('2', 'error', 'shell_execute_error')],
    ];
    const unknown = [use('3'), result('3', 'error', 'tool_not_registered')];
    const denied = [use('4'), result('4', 'error', 'policy_violation')];
    expect(eventsOf(reader, ...ran, ...failed, ...unknown, ...denied, use('5'))).toEqual([
      own,
      own,
      refused,
      refused,
    ]);
    expect(reader.end()).toEqual([own]);
  });
});

describe('OpencodeReader', () => {
  const part = (type: string, fields: JsonObject) => ({ type, sessionID: 'o-1', part: fields });
  const finish = (reason: string) =>
    part('step_finish', {
      reason,
      tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
      cost: 0.5,
    });

  it('adds up what each request used, and ends with the last', () => {
    const events = eventsOf(
      new OpencodeReader(),
      part('tool_use', {
        tool: 'toolgate_read_file',
        callID: 'c',
        state: { status: 'completed', input: {} },
      }),
      finish('tool-calls'),
      part('text', { text: 'done' }),
      finish('stop'),
    ).filter(({ kind }) => kind !== 'session');
    expect(events).toEqual([
      { kind: 'usage', usage: { inputTokens: 15, outputTokens: 3, cacheReadTokens: 5, costUsd: 0.5 } },
      { kind: 'message', text: 'done' },
      { kind: 'usage', usage: { inputTokens: 30, outputTokens: 6, cacheReadTokens: 10, costUsd: 1 } },
      { kind: 'end' },
    ]);
  });

  it('tells of tools of its own, and of errors', () => {
    const bash = { tool: 'bash', callID: 'c', state: { status: 'completed', input: { command: 'ls' } } };
    const error = { type: 'error', sessionID: 'o-1', error: { name: 'APIError', data: { message: 'bad' } } };
    expect(eventsOf(new OpencodeReader(), part('tool_use', bash), error)).toMatchObject([
      { kind: 'session', id: 'o-1' },
      { kind: 'own-tool', tool: 'bash', arguments: { command: 'ls' } },
      { kind: 'session' },
      { kind: 'error', message: 'bad' },
    ]);
  });
});

describe("OpencodeReader, of a tool of opencode's own", () => {
  const bash = (tool: string, state: JsonObject) => ({
    type: 'tool_use',
    sessionID: 'o-1',
    part: { tool, callID: 'c', state: { input: {}, ...state } },
  });

  it.each<[string, string, JsonObject]>([
    ['own-tool', 'bash', { status: 'error', error: 'exit 1: Model tried to call unavailable tool' }],
    ['own-tool', 'bash', { status: 'completed', output: 'The user rejected permission to use it' }],
    ['warning', 'bash', { status: 'error', error: "Model tried to call unavailable tool 'invalid'." }],
    ['warning', 'bash', { status: 'error', error: 'The user rejected permission to use this.' }],
    ['warning', 'bash', { status: 'error', error: 'The user has specified a rule which prevents it' }],
    ['warning', 'invalid', { status: 'completed' }],
  ])('gives %s for %s with %j', (kind, tool, state) => {
    expect(eventsOf(new OpencodeReader(), bash(tool, state))).toMatchObject([{ kind: 'session' }, { kind }]);
  });

  it('tells of one that never ended', () => {
    const reader = new OpencodeReader();
    expect(eventsOf(reader, bash('bash', { status: 'running' }))).toHaveLength(1);
    expect(reader.end()).toMatchObject([{ kind: 'own-tool', tool: 'bash' }]);
  });
});

describe('CopilotReader', () => {
  it.each<[string, JsonObject]>([
    ['own-tool', { success: false, error: { message: 'exit 1', code: 'failure' } }],
    ['own-tool', { success: true, error: { message: "Tool 'bash' does not exist." } }],
    ['own-tool', {}],
    ['warning', { success: false, error: { message: "Tool 'bash' does not exist.", code: 'failure' } }],
    ['warning', { success: false, error: { message: 'no', code: 'denied' } }],
  ])("gives %s for a tool of copilot's own with %j", (kind, end) => {
    const reader = new CopilotReader('x');
    const begun = {
      type: 'tool.execution_start',
      data: { toolCallId: '1', toolName: 'bash', arguments: {} },
    };
    expect(
      eventsOf(reader, begun, { type: 'tool.execution_complete', data: { toolCallId: '1', ...end } }),
    ).toMatchObject([{ kind }]);
    eventsOf(reader, begun);
    expect(reader.end()).toMatchObject([{ kind: 'own-tool', tool: 'bash' }]);
  });

  it('reads a turn; its session is the one that was chosen', () => {
    expect(
      eventsOf(
        new CopilotReader('chosen'),
        { type: 'user.message', data: { content: 'go' } },
        {
          type: 'tool.execution_start',
          data: { toolCallId: '1', toolName: 'toolgate-read_file', arguments: {} },
        },
        { type: 'tool.execution_complete', data: { toolCallId: '1', success: true } },
        {
          type: 'tool.execution_start',
          data: { toolCallId: '2', toolName: 'bash', arguments: { command: 'ls' } },
        },
        { type: 'tool.execution_complete', data: { toolCallId: '2', success: true } },
        { type: 'assistant.message_delta', data: { deltaContent: 'hi' } },
        { type: 'assistant.message', data: { content: 'hi', toolRequests: [] } },
        { type: 'result', sessionId: 'chosen', exitCode: 0 },
      ),
    ).toEqual([
      { kind: 'session', id: 'chosen' },
      { kind: 'own-tool', tool: 'bash', arguments: { command: 'ls' } },
      { kind: 'delta', text: 'hi' },
      { kind: 'message', text: 'hi' },
      { kind: 'end' },
    ]);
    expect(eventsOf(new CopilotReader('x'), { type: 'result', exitCode: 1 })).toMatchObject([
      { kind: 'error' },
    ]);
  });
});
