import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createTool } from '../../../src/domain/tool.js';
import type { ProcessPlan, StartedProcess } from '../../../src/ports/sandbox.js';
import type { ToolHandler } from '../../../src/ports/tool-handler.js';
import { FakeToolCalls, WORKSPACE } from '../../support/fake-tool-call.js';

const tool = createTool({ name: 'probe' });
const handler = (run: ToolHandler['run']): ToolHandler => ({ tool, run });
const ls = { kind: 'argv', argv: ['/bin/ls'] } as const;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-bound-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('BoundSandbox', () => {
  it('plans and runs with the permissions of its own tool', async () => {
    const calls = new FakeToolCalls();
    const permissions = { commands: ['ls'], hosts: ['example.org'] };
    const result = await calls.call(
      handler(async (_args, { sandbox }) => {
        const plan = await sandbox.planProcess(ls);
        await sandbox.runProcess(plan);
        return sandbox.permissions.hosts.join();
      }),
      {},
      { permissions },
    );
    expect(result.output).toBe('example.org');
    expect(calls.sandbox.runs[0]?.plan.policy).toMatchObject({
      workspace: WORKSPACE,
      onUnavailable: 'warn',
      permissions: { commands: ['ls'] },
    });
  });

  it('refuses a process plan that is not its own', async () => {
    const calls = new FakeToolCalls();
    const foreign: ProcessPlan = {
      argv: ['/bin/sh'],
      cwd: '/',
      env: [],
      policy: {
        workspace: '/',
        permissions: calls.entry(handler(() => '')).permissions,
        onUnavailable: 'warn',
      },
      confined: true,
    };
    const result = await calls.call(
      handler(async (_args, { sandbox }) => (await sandbox.runProcess(foreign)).output),
      {},
    );
    expect(result.error?.code).toBe('EXECUTION.SANDBOX.DENIED');
    expect(calls.sandbox.runs).toEqual([]);
  });

  it('reports processes, and gives each a file of its own', async () => {
    const calls = new FakeToolCalls();
    const started: StartedProcess[] = [];
    await calls.call(
      handler(async (_args, { sandbox }) => {
        await sandbox.runProcess(ls);
        await sandbox.runProcess(ls);
        return '';
      }),
      {},
      { onProcess: (process) => started.push(process), outputFile: join(folder, 'run', 'out.txt') },
    );
    expect(started).toEqual([
      { pid: 42, startTime: '1' },
      { pid: 42, startTime: '1' },
    ]);
    expect(calls.sandbox.runs.map(({ context }) => context.outputFile)).toEqual([
      join(folder, 'run', 'out.txt'),
      join(folder, 'run', 'out-2.txt'),
    ]);
  });

  it('starts and writes nothing once the call is stopped', async () => {
    const calls = new FakeToolCalls();
    const controller = new AbortController();
    const late = handler(async (_args, { sandbox, signal }) => {
      const path = await sandbox.resolvePath('late.txt', 'write');
      controller.abort();
      await new Promise((resolve) => setImmediate(resolve));
      expect(signal.aborted).toBe(true);
      await expect(sandbox.writeFile(path, 'x')).rejects.toThrow();
      await expect(sandbox.runProcess(ls)).rejects.toThrow();
      return 'refused both';
    });
    const result = await calls.call(late, {}, { signal: controller.signal });
    expect(result.output).toBe('refused both');
    expect(calls.files.files.size).toBe(0);
    expect(calls.sandbox.runs).toEqual([]);
  });

  it('reads as much as the output may hold unless more is asked for', async () => {
    const calls = new FakeToolCalls();
    calls.files.put(`${WORKSPACE}/a`, 'x');
    await calls.call(
      handler(async (_args, { sandbox }) => {
        const path = await sandbox.resolvePath('a', 'read');
        await sandbox.readFile(path);
        await sandbox.readFile(path, { maxBytes: 7 });
        return '';
      }),
      {},
      { maxOutputBytes: 99 },
    );
    expect(calls.files.maxBytesAsked).toEqual([99, 7]);
  });
});
