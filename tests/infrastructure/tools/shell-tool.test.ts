import { describe, expect, it } from '@jest/globals';
import { shellTool } from '../../../src/infrastructure/tools/shell-tool.js';
import { contractSandbox, describeToolHandlerContract } from '../../contracts/tool-handler.contract.js';
import { FakeToolCalls, WORKSPACE } from '../../support/fake-tool-call.js';

describeToolHandlerContract('shell', () => {
  const handler = shellTool();
  return { handler, arguments: { command: 'ls' }, sandbox: contractSandbox(handler) };
});

describe('shellTool', () => {
  const plan = async (calls: FakeToolCalls, command: string) => {
    const handler = shellTool();
    const call = { id: '1', tool: 'shell', arguments: { command } };
    const { signal } = new AbortController();
    return (await calls.executor.plan(calls.entry(handler), call, { signal })).plan.action;
  };

  it('goes by the name it is given, and takes a command only', () => {
    const { tool } = shellTool('sh');
    expect(tool).toMatchObject({
      name: 'sh',
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
      parameters: { required: ['command'], additionalProperties: false },
    });
  });

  it('shows the command line and what would be started', async () => {
    expect(await plan(new FakeToolCalls(), 'echo hi')).toEqual({
      kind: 'process',
      argv: ['/bin/sh', '-c', 'echo hi'],
      cwd: WORKSPACE,
      script: 'echo hi',
    });
  });

  it('says when the kernel does not hold the process', async () => {
    const calls = new FakeToolCalls();
    calls.sandbox.confined = false;
    expect(await plan(calls, 'ls')).toMatchObject({ unconfined: true });
  });

  it('runs the very plan that was approved', async () => {
    const calls = new FakeToolCalls();
    calls.sandbox.outcome = { output: 'hi\n' };
    const result = await calls.call(shellTool(), { command: 'echo hi' });
    expect(result).toMatchObject({ success: true, output: 'hi\n', enforcement: { backend: 'fake' } });
    expect(calls.sandbox.planned).toBe(1);
  });

  it('plans again where the plan was made elsewhere, and runs it only if it came out the same', async () => {
    const calls = new FakeToolCalls();
    const handler = shellTool();
    const entry = calls.entry(handler);
    const call = { id: '1', tool: 'shell', arguments: { command: 'ls' } };
    const { plan: live, planHash } = await calls.executor.plan(entry, call, calls.context());
    const stored = structuredClone(live);
    expect(await calls.executor.execute(entry, { plan: stored, planHash }, calls.context())).toMatchObject({
      success: true,
    });
    const other = { ...stored, action: { ...stored.action, cwd: '/elsewhere' } } as typeof stored;
    const result = await calls.executor.execute(entry, { plan: other, planHash }, calls.context());
    expect(result.error?.code).toBe('EXECUTION.APPROVAL.STALE');
    expect(calls.sandbox.runs).toHaveLength(1);
  });

  it.each([
    [{ exitCode: 3, output: 'oops' }, 'exit code 3'],
    [{ exitCode: null, signal: 'SIGKILL', output: 'oops' }, 'killed by SIGKILL'],
  ])('fails with its output kept when the process ends with %p', async (outcome, message) => {
    const calls = new FakeToolCalls();
    calls.sandbox.outcome = outcome;
    expect(await calls.call(shellTool(), { command: 'x' })).toMatchObject({
      success: false,
      output: 'oops',
      error: { code: 'EXECUTION.TOOL.EXIT_CODE', message },
    });
  });

  it.each(['a\0b', 'echo \ud800'])('refuses %p, which no process can be given', async (command) => {
    await expect(plan(new FakeToolCalls(), command)).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
    });
  });
});
