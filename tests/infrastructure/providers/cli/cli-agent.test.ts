import { chmodSync, existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentNotice } from '../../../../src/domain/agent-notice.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Message } from '../../../../src/domain/message.js';
import { createTool } from '../../../../src/domain/tool.js';
import { failedResult } from '../../../../src/domain/tool-result.js';
import { McpToolServer } from '../../../../src/infrastructure/mcp/mcp-tool-server.js';
import { createCliAgent } from '../../../../src/infrastructure/providers/cli/create-cli-agent.js';
import { VersionCheck } from '../../../../src/infrastructure/providers/cli/version-check.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import type { AgentGate } from '../../../../src/ports/agent-gate.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const PROGRAM = resolve('tests/support/fake-cli.mjs');
const TOOLS = [createTool({ name: 'read_file', parameters: { type: 'object', additionalProperties: true } })];

type Action = readonly [name: string, value?: unknown];
interface Asked {
  readonly name?: string;
  readonly options?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly messages?: readonly Message[];
  readonly gate?: Partial<AgentGate>;
  readonly signal?: AbortSignal;
}

/** Asks the fake command line for one turn, with a gate that answers what it is told. */
async function ask(actions: readonly Action[], asked: Asked = {}) {
  const env = { ...process.env, FAKE_CLI: JSON.stringify(actions), ...asked.env };
  const surroundings = {
    toolServer: new McpToolServer(),
    shim: { command: process.execPath, args: [resolve('dist/cli.js'), 'serve', '--attach'] },
    folder: join(temporaryFolder(), 'agents'),
    env,
    startTimeOf: () => '',
    versions: new VersionCheck(env),
  };
  const agent = await createCliAgent(
    asked.name ?? 'claude',
    { binary: PROGRAM, ...asked.options },
    {
      surroundings,
      providers: new ProviderRegistry({ env: {} }),
    },
  );
  const notices: AgentNotice[] = [];
  const calls: unknown[] = [];
  const gate: AgentGate = {
    ended: new AbortController().signal,
    call: async (call) => {
      calls.push(call);
      return { text: 'the answer', result: failedResult({ code: 'EXECUTION.TOOL.FAILED', message: 'x' }) };
    },
    used: () => undefined,
    tell: (notice) => void notices.push(notice),
    started: () => undefined,
    ...asked.gate,
  };
  const { messages = [{ role: 'user', content: 'go' }], signal = new AbortController().signal } = asked;
  const asking = agent.complete({ messages, tools: TOOLS, options: {} }, { signal, gate });
  return { reply: asking, notices, calls };
}

describe('CliAgent', () => {
  beforeAll(() => chmodSync(PROGRAM, 0o755));

  it('passes a call on to the gate and its answer back, and leaves no file behind', async () => {
    const { reply, calls, notices } = await ask([
      ['call', ['read_file', { path: 'a' }]],
      ['done', 'ok'],
    ]);
    expect((await reply).message).toMatchObject({
      content: 'ok',
      calls: [],
      raw: { session_id: 'session-1' },
    });
    expect(calls).toEqual([{ tool: 'read_file', arguments: { path: 'a' } }]);
    expect(notices).toContainEqual({ kind: 'session', id: 'session-1' });
    const { reply: where } = await ask([['where'], ['done', '']]);
    const { content: file } = (await where).message;
    expect([isAbsolute(file), existsSync(dirname(file))]).toEqual([true, false]);
  });

  it('goes on with the session that an earlier reply names, and tells it only what is new', async () => {
    const messages: Message[] = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'x', calls: [], raw: { session_id: 's-9' } },
      { role: 'user', content: 'second' },
    ];
    const { reply } = await ask([['prompt'], ['done', '']], { messages });
    expect((await reply).message.content).toBe('s-9: second');
  });

  it('goes on after an interruption, and says which calls have no result', async () => {
    const lost = {
      id: 'c',
      tool: 'write',
      arguments: { n: 1 },
      result: failedResult({ code: 'EXECUTION.CALL.IN_DOUBT', message: 'nobody knows' }),
    };
    const { reply } = await ask([['prompt'], ['done', '']], {
      gate: { interrupted: { sessionId: 's-2', calls: [lost] } },
    });
    expect((await reply).message.content).toMatch(
      /^s-2: You were interrupted[\s\S]*write \{"n":1\}: nobody knows/,
    );
    const { reply: without } = await ask([], { gate: { interrupted: { calls: [lost] } } });
    await expect(without).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.INTERRUPTED',
      message: expect.stringContaining('{"n":1}'),
    });
  });

  it('tells of a tool of its own, and fails the turn if it is strict', async () => {
    const env = { FAKE_CLI_TOOLS: '0' };
    const bypass: readonly Action[] = [
      ['bypass', { command: 'ls' }],
      ['done', 'ok'],
    ];
    const { reply, notices } = await ask(bypass, { env });
    await reply;
    expect(notices).toContainEqual({ kind: 'bypassed', tool: 'Bash', arguments: { command: 'ls' } });
    const strict = await ask([['bypass', {}], ['hang']], { env, options: { strict: true } });
    await expect(strict.reply).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.BYPASSED' });
  });

  it('takes a tool that it does not own up to for one that ran, unless it was refused', async () => {
    const unowned: readonly Action[] = [
      ['bypass', { command: 'ls' }],
      ['done', 'ok'],
    ];
    const { reply, notices } = await ask(unowned, { options: { strict: true } });
    await expect(reply).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.BYPASSED' });
    expect(notices).toContainEqual({ kind: 'bypassed', tool: 'Bash', arguments: { command: 'ls' } });
    const content = [
      { type: 'tool_result', content: 'Permission to use Bash has been denied', is_error: true },
    ];
    const refused = await ask(
      [
        ['bypass', {}],
        ['line', { type: 'user', message: { content } }],
        ['done', 'ok'],
      ],
      {
        options: { strict: true },
      },
    );
    expect((await refused.reply).message.content).toBe('ok');
  });

  it.each<[string, readonly Action[], string]>([
    [
      'an exit code',
      [
        ['complain', 'no login\n'],
        ['exit', 144],
      ],
      'ended with exit code 144. It said:\nno login',
    ],
    ['an end without an answer', [['text', 'hm']], 'ended without an answer'],
    [
      'words instead of events',
      [
        ['raw', 'Please log in\n'],
        ['exit', 1],
      ],
      'Please log in',
    ],
    [
      'an error that calls itself a success',
      [
        ['line', { type: 'result', subtype: 'success', is_error: true, result: 'API Error: 400' }],
        ['exit', 1],
      ],
      'API Error: 400',
    ],
  ])('fails on %s', async (_name, actions, message) => {
    const { reply } = await ask(actions);
    await expect(reply).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.FAILED',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['says that our server is not there yet', { FAKE_CLI_SERVER: 'pending' }, [['hang']], '"pending"'],
    ['says that our server has failed', { FAKE_CLI_SERVER: 'failed' }, [['hang']], '"failed"'],
    [
      'answers without having asked for them',
      { FAKE_CLI_SERVER: 'connected' },
      [
        ['text', 'It is all done.'],
        ['done', 'It is all done.'],
      ],
      'before it had asked our MCP server',
    ],
  ] as const)('fails when it has none of the tools: it %s', async (_name, env, actions, message) => {
    const { reply, calls } = await ask(actions, { env });
    await expect(reply).rejects.toMatchObject({
      code: 'EXECUTION.PROVIDER.NO_TOOLS',
      message: expect.stringContaining(message),
    });
    expect(calls).toEqual([]);
  });

  it("tells the command line's own error before what it lacks", async () => {
    const error = { type: 'result', subtype: 'success', is_error: true, result: 'API Error: 401' };
    const actions = [
      ['text', 'API Error: 401'],
      ['line', error],
    ] as const;
    const { reply } = await ask(actions, { env: { FAKE_CLI_SERVER: 'connected' } });
    await expect(reply).rejects.toMatchObject({ message: expect.stringContaining('API Error: 401') });
  });

  it('ends it when it takes too long, also if it does not want to', async () => {
    const { reply } = await ask([['stubborn'], ['hang']], { options: { timeout: 1 } });
    await expect(reply).rejects.toMatchObject({ code: 'EXECUTION.PROVIDER.TIMEOUT' });
  });

  it('ends it when the run is cancelled, and when a limit is reached: then with what it said so far', async () => {
    const ended = new AbortController();
    const call: AgentGate['call'] = async () => {
      setTimeout(() => ended.abort(), 0);
      return { text: 'too many', result: failedResult({ code: 'EXECUTION.CALL.MAX_CALLS', message: 'x' }) };
    };
    const talkative: readonly Action[] = [
      ['parting', 'said too late'],
      ['text', 'so far'],
      ['ask', ['read_file', {}]],
      ['hang'],
    ];
    const limited = await ask(talkative, { gate: { ended: ended.signal, call } });
    expect((await limited.reply).message.content).toBe('so far');
    const stop = new AbortController();
    const tell = () => stop.abort(new Error('enough'));
    const stopped = await ask([['hang']], { signal: stop.signal, gate: { tell } });
    await expect(stopped.reply).rejects.toThrow('enough');
  });

  it('withdraws a call that the command line no longer waits for', async () => {
    const stop = new AbortController();
    const withdrawn = new Promise<void>((resolve) => {
      const call: AgentGate['call'] = (_call, { signal }) =>
        new Promise((_resolve, reject) => {
          setTimeout(() => stop.abort(new Error('enough')), 0);
          signal.addEventListener('abort', () => {
            resolve();
            reject(new Error('withdrawn'));
          });
        });
      void ask([['call', ['read_file', {}]]], { gate: { call }, signal: stop.signal }).then(({ reply }) =>
        reply.catch(() => undefined),
      );
    });
    await withdrawn;
  });

  it('warns of an older version', async () => {
    const { reply, notices } = await ask([['done', 'ok']], { env: { FAKE_CLI_VERSION: '2.0.9' } });
    await reply;
    expect(notices[0]).toMatchObject({
      kind: 'warning',
      message: expect.stringContaining('older than 2.1.197'),
    });
  });

  it('says how to get a command line that is not installed', async () => {
    await expect(ask([], { options: { binary: 'no-such-claude' } })).rejects.toMatchObject({
      code: 'USER.PROVIDER.NOT_INSTALLED',
      message: expect.stringContaining('npm install -g @anthropic-ai/claude-code'),
    });
    expect(existsSync(PROGRAM)).toBe(true);
  });

  it.each([
    ['claude', /claude-code`, name it in the step's `options.binary`, or use its API with/],
    ['opencode', /opencode-ai`, or name it in the step's `options.binary`$/],
  ])('names the ways to get %s', async (name, words) => {
    await expect(ask([], { name, options: { binary: 'no-such-program' } })).rejects.toThrow(words);
  });

  it.each<JsonObject>([
    { modle: 'x' },
    { model: '--evil' },
    { strict: 'maybe' },
    { fallback: 'none' },
    { timeout: -1 },
  ])('refuses the options %j', async (options) => {
    await expect(ask([], { options })).rejects.toMatchObject({ code: 'WORKFLOW.PROVIDER.INVALID_OPTIONS' });
  });
});
