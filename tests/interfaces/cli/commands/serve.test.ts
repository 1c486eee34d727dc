import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

// Each test starts programs of its own, and a busy machine takes its time over that.
jest.setTimeout(60_000);

const CLI = resolve('dist/cli.js');
let root = '';
let workspace = '';

const WORKFLOW = `
name: desk
description: Notes and how to keep them.
sandbox: { on_unavailable: warn }
tools:
  - { name: read_file, builtin: true, approval: auto, restrictions: { paths: ["notes/**"] } }
  - { name: write_file, builtin: true, restrictions: { paths: ["notes/**"] } }
  - { name: wait, command: "sh wait.sh", approval: auto, idempotent: true, restrictions: { commands: any, paths: ["**"] } }
steps:
  - { name: read_only, provider: scripted, prompt: go, tools: [read_file], tool_options: { max_calls: 2 } }
`;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'toolgate-serve-')));
  workspace = join(root, 'w');
  await mkdir(join(workspace, 'notes'), { recursive: true });
  await writeFile(join(workspace, 'desk.yaml'), WORKFLOW);
  await writeFile(join(workspace, 'notes/a.txt'), 'the first note\n');
  await writeFile(join(workspace, 'wait.sh'), 'echo $$ > started\nexec sleep 600\n');
});

afterAll(() => rm(root, { recursive: true, force: true }));

const environment = () => ({ ...process.env, XDG_STATE_HOME: join(root, 'state') }) as Record<string, string>;

/** A client of the SDK's own, connected to `toolgate serve` over stdio. */
async function connect(argv: readonly string[] = [], options?: ConstructorParameters<typeof Client>[1]) {
  const client = new Client({ name: 'tester', version: '1' }, options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'serve', 'desk.yaml', ...argv],
    cwd: workspace,
    env: environment(),
    stderr: 'ignore',
  });
  return { client, transport, open: () => client.connect(transport) };
}

async function withClient<T>(argv: readonly string[], work: (client: Client) => Promise<T>): Promise<T> {
  const { client, open } = await connect(argv);
  await open();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');

describe('toolgate serve', () => {
  it('tells clients of the tools, with hints that are true', async () => {
    const { tools } = await withClient([], (client) => client.listTools());
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      [
        'read_file',
        { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ],
      [
        'write_file',
        { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
      ],
      ['wait', { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }],
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({
      type: 'object',
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('answers as `toolgate call` does', async () => {
    const calls = [
      ['read_file', { path: 'notes/a.txt' }],
      ['read_file', { path: '/etc/passwd' }],
      ['read_file', { pth: 1 }],
      ['write_file', { path: 'notes/b.txt', content: 'x' }],
    ] as const;
    const expected = await Promise.all(calls.map(([name, args]) => callTool(name, args)));
    await withClient([], async (client) => {
      for (const [index, [name, args]] of calls.entries()) {
        const served = await client.callTool({ name, arguments: { ...args } });
        const called = expected[index];
        expect(textOf(served)).toBe(called.output);
        expect(served.isError ?? false).toBe(!called.success);
        const gate = served._meta?.['toolgate/result'] as { approval: string; error?: unknown };
        expect({ approval: gate.approval, error: gate.error }).toEqual({
          approval: called.approval,
          error: called.error,
        });
      }
    });
    expect(existsSync(join(workspace, 'notes/b.txt'))).toBe(false);
  });

  it.each([[[1, 2]], ['hello'], [7]])('lets the model read that %j are no arguments', async (args) => {
    const call = { name: 'read_file', arguments: args as never };
    const result = await withClient([], (client) => client.callTool(call));
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('arguments');
    expect(result._meta?.['toolgate/result']).toMatchObject({ error: { code: expect.any(String) } });
  });

  it('lets the model read that there is no such tool', async () => {
    const result = await withClient([], (client) => client.callTool({ name: 'rm', arguments: {} }));
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('There is no tool "rm"');
  });

  it('runs what a flag approved, and records all of it as one run', async () => {
    await withClient(['--approve', 'write_file'], async (client) => {
      const args = { path: 'notes/c.txt', content: 'kept' };
      expect(textOf(await client.callTool({ name: 'write_file', arguments: args }))).toContain(
        'File written',
      );
      expect(textOf(await client.callTool({ name: 'read_file', arguments: { path: 'notes/c.txt' } }))).toBe(
        'kept',
      );
    });
    const [run] = await runs();
    expect(run).toMatchObject({ workflow: 'desk', status: 'success', calls: 2 });
  });

  it("keeps to a step's tools and limits", async () => {
    await withClient(['--step', 'read_only'], async (client) => {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_file']);
      const read = () => client.callTool({ name: 'read_file', arguments: { path: 'notes/a.txt' } });
      const texts = [await read(), await read(), await read()].map(textOf);
      expect(texts[1]).toBe('the first note\n');
      expect(texts[2]).toContain('may make 2 calls (max_calls)');
    });
  });

  it('ends the process of a call that the client cancels, and serves on', async () => {
    await withClient([], async (client) => {
      const started = join(workspace, 'started');
      await rm(started, { force: true });
      const controller = new AbortController();
      const call = client.callTool({ name: 'wait', arguments: {} }, undefined, { signal: controller.signal });
      call.catch(() => undefined);
      while (!existsSync(started) || (await readFile(started, 'utf8')) === '') await tick();
      controller.abort('enough');
      await expect(call).rejects.toThrow('enough');
      expect(textOf(await client.callTool({ name: 'read_file', arguments: { path: 'notes/a.txt' } }))).toBe(
        'the first note\n',
      );
    });
    const [run] = await runs();
    expect(run).toMatchObject({ status: 'success', calls: 2 });
  });

  it('asks the client only if it is trusted to ask', async () => {
    for (const [argv, isWritten] of [
      [[], false],
      [['--trust-client-approvals'], true],
    ] as const) {
      const { client, open } = await connect(argv, { capabilities: { elicitation: {} } });
      const asked: string[] = [];
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { decision: 'allow once' } };
      });
      await open();
      const path = `notes/asked-${isWritten}.txt`;
      const result = await client.callTool({ name: 'write_file', arguments: { path, content: 'x' } });
      await client.close();
      expect(result.isError ?? false).toBe(!isWritten);
      expect(existsSync(join(workspace, path))).toBe(isWritten);
      expect(asked.length).toBe(isWritten ? 1 : 0);
    }
  });

  it('puts its questions on a page, if told to, and its link on stderr', async () => {
    const client = new Client({ name: 'tester', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'serve', 'desk.yaml', '--approvals', 'http://127.0.0.1:0'],
      cwd: workspace,
      env: environment(),
      stderr: 'pipe',
    });
    let err = '';
    transport.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    await client.connect(transport);
    while (!err.includes('/#')) await tick();
    const [, origin = '', token = ''] = /answered at (\S+)\/#(\S+)/.exec(err) ?? [];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const args = { path: 'notes/paged.txt', content: 'x' };
    const called = client.callTool({ name: 'write_file', arguments: args });
    const { id, plan_hash } = await firstWaiting(origin, headers);
    const body = JSON.stringify({ plan_hash, answer: 'once' });
    await fetch(`${origin}/api/waiting/${id}`, { method: 'POST', headers, body });
    expect(textOf(await called)).toContain('File written');
    await client.close();
    await expect(fetch(origin)).rejects.toThrow();
  });

  it('says nothing but the protocol on stdout, and passes over what is no message', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', 'desk.yaml'], {
      cwd: workspace,
      env: environment(),
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdin.end(
      'hello\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"nonsense"}\n',
    );
    const [code] = await once(child, 'close');
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .sort((left, right) => left.id - right.id);
    expect(lines).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: expect.objectContaining({ code: -32601 }) },
    ]);
    expect(err).toContain('client: not a message: hello\n');
    expect(code).toBe(0);
  });

  it('answers calls that were piped in, though nothing more comes', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', 'desk.yaml'], {
      cwd: workspace,
      env: environment(),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const info = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'pipe', version: '1' },
    };
    const call = { name: 'read_file', arguments: { path: 'notes/a.txt' } };
    const messages = [
      { id: 1, method: 'initialize', params: info },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: call },
    ];
    child.stdin.end(
      messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    );
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const [code] = await once(child, 'close');
    const answer = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ id }) => id === 2);
    expect(textOf(answer.result)).toContain('the first note');
    expect(code).toBe(0);
  });

  it('serves over HTTP, to whoever shows the token', async () => {
    const child = spawn(process.execPath, [CLI, 'serve', 'desk.yaml', '--http', '0'], {
      cwd: workspace,
      env: environment(),
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    while (!err.includes('token: ')) await tick();
    const [, url = '', token = ''] = /listening on (\S+)\ntoken: (\S+)/.exec(err) ?? [];
    const client = new Client({ name: 'tester', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never,
    );
    const result = await client.callTool({ name: 'read_file', arguments: { path: 'notes/a.txt' } });
    expect(textOf(result)).toBe('the first note\n');
    await client.close();
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
  });

  it.each([
    [['--host', '0.0.0.0'], '--host, --allow-host and --token-env are for --http'],
    [['--http', '0', '--host', '0.0.0.0'], 'give the names that they use (--allow-host NAME)'],
    [['--http', '0', '--host', '0.0.0.0', '--allow-host', '*.example.org'], 'is not the name or the address'],
    [['--http', '0', '--token-env', 'NOT_SET_ANYWHERE'], 'NOT_SET_ANYWHERE: this variable is not set'],
    [['--step', 'none'], 'the workflow has no such step (it has: read_only)'],
    [['--http', 'x'], 'Expected a port'],
    [['--max-calls', '0'], 'Expected a number'],
    [['--approvals', 'later'], 'cannot be continued later'],
    [['--approvals', 'http://0.0.0.0:1'], 'The page is for this machine only'],
  ])('refuses %j', async (argv, words) => {
    const child = spawn(process.execPath, [CLI, 'serve', 'desk.yaml', ...argv], {
      cwd: workspace,
      env: environment(),
    });
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});

/** The first question on a page, once there is one. */
async function firstWaiting(
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ id: string; plan_hash: string }> {
  for (;;) {
    const answered = await fetch(`${origin}/api/waiting`, { headers });
    const { waiting } = (await answered.json()) as { waiting: { id: string; plan_hash: string }[] };
    if (waiting[0]) return waiting[0];
    await tick();
  }
}

function tick(): Promise<void> {
  return new Promise((done) => setTimeout(done, 10));
}

async function callTool(name: string, args: object) {
  return JSON.parse(await toolgate('call', 'desk.yaml', name, '--args', JSON.stringify(args)));
}

async function runs(): Promise<{ status: string; calls: number }[]> {
  return JSON.parse(await toolgate('runs', '--output-format', 'json')).runs;
}

async function toolgate(...argv: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...argv], { cwd: workspace, env: environment() });
  let out = '';
  child.stdin.end();
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await once(child, 'close');
  return out;
}
