import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASK_ALWAYS } from '../../../src/domain/approval.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { ToolResult } from '../../../src/domain/tool-result.js';
import type { ToolDeclaration } from '../../../src/domain/workflow.js';
import { GuardedFileAccess } from '../../../src/infrastructure/sandbox/guarded-file-access.js';
import { GuardedNetworkAccess } from '../../../src/infrastructure/sandbox/guarded-network-access.js';
import { ProcessSandbox } from '../../../src/infrastructure/sandbox/process-sandbox.js';
import { SystemClock } from '../../../src/infrastructure/system/system-clock.js';
import { DeclaredToolSource } from '../../../src/infrastructure/tools/declared-tool-source.js';
import { RoutingToolExecutor } from '../../../src/infrastructure/tools/routing-executor.js';
import type { ExecutionContext, ToolEntry } from '../../../src/ports/tool-executor.js';
import { FakeToolServer } from '../../support/fake-tool-server.js';

// A name full of what patterns and shells make something of.
const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolgate-tools-')));
const workspace = join(base, "it's {a,b} [x] *? (1)+@!");
const declare = (name: string, more: Partial<ToolDeclaration>): ToolDeclaration => ({
  name,
  kind: { type: 'handler' },
  allowDash: [],
  approval: ASK_ALWAYS,
  restrictions: {},
  ...more,
});

const executor = new RoutingToolExecutor({
  sandbox: new ProcessSandbox(),
  files: new GuardedFileAccess(),
  network: new GuardedNetworkAccess({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] }),
  clock: new SystemClock(),
});

let server: FakeToolServer;
let entries: ReadonlyMap<string, ToolEntry>;
beforeAll(async () => {
  mkdirSync(join(workspace, 'src'), { recursive: true });
  mkdirSync(join(workspace, 'other'));
  writeFileSync(join(workspace, 'src/a.txt'), 'one\ntwo\n');
  writeFileSync(join(base, 'outside.txt'), 'secret');
  symlinkSync(join(base, 'outside.txt'), join(workspace, 'src/link'));
  server = await FakeToolServer.start();
  const port = new URL(server.url('/')).port;
  const paths = { read: ['{{inputs.project_path}}/**'], write: ['{{inputs.project_path}}/src/**'], deny: [] };
  const opened = await new DeclaredToolSource({ handlers: [] }).open({
    declarations: [
      declare('read_file', { kind: { type: 'builtin', builtin: 'read_file' }, restrictions: { paths } }),
      declare('write_file', { kind: { type: 'builtin', builtin: 'write_file' }, restrictions: { paths } }),
      declare('shell', { kind: { type: 'builtin', builtin: 'shell' }, restrictions: { commands: 'any' } }),
      declare('closed_shell', { kind: { type: 'builtin', builtin: 'shell' } }),
      declare('http_request', {
        kind: { type: 'builtin', builtin: 'http_request' },
        restrictions: { hosts: [`api.example.com:${port}`], privateHosts: ['127.0.0.1'] },
      }),
      declare('search', {
        kind: { type: 'command', command: "grep -rn '{{args.pattern}}' {{inputs.project_path}}" },
        parameters: { properties: { pattern: { type: 'string' } }, required: ['pattern'] },
      }),
      declare('count', {
        kind: { type: 'command', command: 'cd {{inputs.project_path}}/src && cat a.txt | wc -l' },
      }),
    ],
    workspace,
    inputs: { project_path: '.' },
    env: process.env,
    onUnavailable: 'warn',
  });
  entries = new Map(opened.map((entry) => [entry.handler.tool.name, entry]));
});
afterAll(async () => {
  await server.stop();
  rmSync(base, { recursive: true });
});

async function call(
  name: string,
  args: JsonObject,
  more: Partial<ExecutionContext> = {},
): Promise<ToolResult> {
  const entry = entries.get(name) as ToolEntry;
  const { signal } = new AbortController();
  const planned = await executor.plan(entry, { id: '1', tool: name, arguments: args }, { signal });
  const log = () => undefined;
  return executor.execute(entry, planned, {
    callId: '1',
    signal,
    timeoutMs: 10_000,
    log,
    onProcess: log,
    ...more,
  });
}

describe('tools over the real adapters', () => {
  it('read and write inside, and nowhere else', async () => {
    expect(await call('read_file', { path: 'src/a.txt', offset: 2 })).toMatchObject({ output: 'two\n' });
    expect(await call('write_file', { path: 'src/new/b.txt', content: 'b' })).toMatchObject({
      output: 'File written: src/new/b.txt (1 bytes)',
    });
    await call('write_file', { path: 'src/new/b.txt', content: 'c', mode: 'append' });
    expect(readFileSync(join(workspace, 'src/new/b.txt'), 'utf8')).toBe('bc');
    for (const path of ['../outside.txt', join(base, 'outside.txt'), 'src/link', 'src']) {
      await expect(
        call('read_file', { path }).then(({ error }) => Promise.reject(error)),
      ).rejects.toBeDefined();
    }
    await expect(call('write_file', { path: 'other/x', content: '' })).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
    });
  });

  it('run a shell, its exit code and its time-out told', async () => {
    expect(await call('shell', { command: 'echo "$((1+2))"; echo oops >&2; exit 3' })).toMatchObject({
      success: false,
      output: '3\noops\n',
      error: { code: 'EXECUTION.TOOL.EXIT_CODE', message: 'exit code 3' },
    });
    const marker = join(workspace, 'late');
    const slow = await call(
      'shell',
      { command: `echo begun; sleep 5; touch '${'late'}'` },
      { timeoutMs: 300 },
    );
    expect(slow).toMatchObject({ output: 'begun\n', error: { code: 'EXECUTION.TOOL.TIMEOUT' } });
    expect(slow.error?.message).toBe('timed out after 300 ms');
    expect(existsSync(marker)).toBe(false);
  });

  it('run nothing where no command is listed', async () => {
    await expect(call('closed_shell', { command: 'ls' })).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
    });
  });

  it('keep a long output whole, in a file', async () => {
    const outputFile = join(base, 'outputs', 'long.txt');
    const result = await call('shell', { command: 'yes 0123456789 | head -n 100000' }, { outputFile });
    expect(result.success).toBe(true);
    expect(result.truncated).toMatchObject({ totalBytes: 1_100_000, file: outputFile });
    expect(result.output.length).toBeLessThan(70_000);
    expect(readFileSync(outputFile).length).toBe(1_100_000);
  });

  it('run commands with their values as they are', async () => {
    writeFileSync(join(workspace, 'src/odd.txt'), 'a "$(id)" \'x\'\n');
    expect((await call('search', { pattern: '"$(id)" \'x\'' })).output).toContain('odd.txt:1:');
    expect(await call('search', { pattern: 'nowhere to be found' })).toMatchObject({
      success: false,
      error: { message: 'exit code 1' },
    });
    expect((await call('count', {})).output.trim()).toBe('2');
  });

  it('reach the hosts that are listed, and no other', async () => {
    server.routes.set('/', (response) => response.end('hello'));
    expect((await call('http_request', { url: server.url('/') })).output).toContain('hello');
    await expect(call('http_request', { url: server.url('/', 'evil.test') })).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
    });
    server.routes.set('/', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    const redirected = await call('http_request', { url: server.url('/') });
    expect(redirected.error?.code).toBe('EXECUTION.SANDBOX.DENIED');
  });
});
