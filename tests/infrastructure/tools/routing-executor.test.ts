import { describe, expect, it } from '@jest/globals';
import { DeniedError } from '../../../src/domain/errors.js';
import { createTool } from '../../../src/domain/tool.js';
import type { ToolContext, ToolHandler } from '../../../src/ports/tool-handler.js';
import { FakeToolCalls, WORKSPACE } from '../../support/fake-tool-call.js';

const tool = createTool({ name: 'probe', parameters: { properties: { a: {}, b: {} } } });
const handler = (run: ToolHandler['run'], plan?: ToolHandler['plan']): ToolHandler =>
  plan ? { tool, run, plan } : { tool, run };
const never = () => new Promise<string>(() => undefined);

describe('RoutingToolExecutor: plan', () => {
  const calls = new FakeToolCalls();
  const signal = new AbortController().signal;
  const plan = (one: ToolHandler, args = {}) =>
    calls.executor.plan(calls.entry(one), { id: '1', tool: 'probe', arguments: args }, { signal });

  it('plans a handler that plans nothing as a handler', async () => {
    const { plan: planned } = await plan(
      handler(() => ''),
      { a: 1 },
    );
    expect(planned).toEqual({ tool: 'probe', arguments: { a: 1 }, action: { kind: 'handler' } });
  });

  it('freezes all of the plan', async () => {
    const args = { a: { b: [1] } };
    const { plan: planned } = await plan(
      handler(() => ''),
      args,
    );
    expect(Object.isFrozen(planned) && Object.isFrozen(args.a.b)).toBe(true);
  });

  it('hashes equal plans alike, whatever the order of their keys, and others differently', async () => {
    const one = await plan(
      handler(() => ''),
      { a: 1, b: 2 },
    );
    const two = await plan(
      handler(() => ''),
      { b: 2, a: 1 },
    );
    const other = await plan(
      handler(() => ''),
      { b: 2, a: '1' },
    );
    expect(one.planHash).toMatch(/^[0-9a-f]{64}$/);
    expect(two.planHash).toBe(one.planHash);
    expect(other.planHash).not.toBe(one.planHash);
  });

  it('lets a denial out', async () => {
    const denies = handler(
      () => '',
      () => {
        throw new DeniedError('not here');
      },
    );
    await expect(plan(denies)).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.DENIED',
      message: 'not here',
    });
  });

  it('refuses to change anything while planning', async () => {
    const writes = handler(
      () => '',
      async (_args, { sandbox }) => {
        await sandbox.writeFile(await sandbox.resolvePath('a', 'write'), 'x');
        return { kind: 'handler' };
      },
    );
    await expect(plan(writes)).rejects.toThrow('while its call is being planned');
    expect(calls.files.files.size).toBe(0);
  });

  it('refuses a plan that is no action', async () => {
    const odd = handler(
      () => '',
      () => undefined as never,
    );
    await expect(plan(odd)).rejects.toMatchObject({ code: 'EXECUTION.TOOL.FAILED' });
  });

  it('gives up on a plan that hangs', async () => {
    const hangs = handler(
      () => '',
      () => never() as never,
    );
    const entry = { ...calls.entry(hangs), timeoutMs: 20 };
    const planning = calls.executor.plan(entry, { id: '1', tool: 'probe', arguments: {} }, { signal });
    await expect(planning).rejects.toMatchObject({ code: 'EXECUTION.TOOL.TIMEOUT' });
  });

  it('gives up on a plan when it is cancelled', async () => {
    const controller = new AbortController();
    const hangs = handler(
      () => '',
      () => never() as never,
    );
    const call = { id: '1', tool: 'probe', arguments: {} };
    const planning = calls.executor.plan(calls.entry(hangs), call, { signal: controller.signal });
    controller.abort();
    await expect(planning).rejects.toMatchObject({ code: 'EXECUTION.CALL.CANCELLED' });
    const late = calls.executor.plan(calls.entry(hangs), call, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: 'EXECUTION.CALL.CANCELLED' });
  });
});

describe('RoutingToolExecutor: execute', () => {
  const calls = new FakeToolCalls();

  it('gives the handler its arguments and a context it can spread', async () => {
    let seen: ToolContext | undefined;
    const result = await calls.call(
      handler((args, context) => {
        seen = { ...context };
        return `got ${args.a}`;
      }),
      { a: 1 },
    );
    expect(result).toMatchObject({ success: true, output: 'got 1', approval: 'none' });
    expect(seen).toMatchObject({ callId: 'call_1', action: { kind: 'handler' } });
    expect(seen?.signal.aborted).toBe(false);
    expect(seen?.sandbox.workspace).toBe(WORKSPACE);
  });

  it.each([
    [undefined, '', undefined],
    [null, '', undefined],
    [7, '7', undefined],
    [true, 'true', undefined],
    [{ n: 1 }, '{"n":1}', { n: 1 }],
    [[1, 2], '[1,2]', [1, 2]],
    [Buffer.from('bytes'), 'bytes', undefined],
    [{ text: 'hi', data: { d: 1 } }, 'hi', { d: 1 }],
    ['a\ud800b', 'a\ufffdb', undefined],
  ])('makes text of %p', async (value, output, data) => {
    const result = await calls.call(
      handler(() => value as never),
      {},
    );
    expect(result).toMatchObject({ success: true, output });
    expect(result.data).toEqual(data);
  });

  it.each([
    ['an error', () => Promise.reject(new Error('broke')), 'broke', 'EXECUTION.TOOL.FAILED'],
    ['a denial', () => Promise.reject(new DeniedError('no')), 'no', 'EXECUTION.SANDBOX.DENIED'],
    ['a text', () => Promise.reject('plain'), 'plain', 'EXECUTION.TOOL.FAILED'],
    ['nothing', () => Promise.reject(undefined), 'undefined', 'EXECUTION.TOOL.FAILED'],
    [
      'what has no text',
      () => Promise.reject(Object.create(null)),
      'the tool threw something that has no text',
      'EXECUTION.TOOL.FAILED',
    ],
  ])('answers for a handler that throws %s', async (_what, run, message, code) => {
    const result = await calls.call(handler(run), {});
    expect(result).toMatchObject({ success: false, output: message, error: { code, message } });
  });

  it('answers for a handler that throws before it returns a promise', async () => {
    const throws = handler(() => {
      throw new Error('at once');
    });
    expect(await calls.call(throws, {})).toMatchObject({ success: false, output: 'at once' });
  });

  it('answers for a result that is no JSON', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const result = await calls.call(
      handler(() => circular as never),
      {},
    );
    expect(result).toMatchObject({ success: false, error: { code: 'EXECUTION.TOOL.FAILED' } });
  });

  it('keeps the output of a tool whose work failed', async () => {
    const failure = { code: 'EXECUTION.TOOL.EXIT_CODE', message: 'exit code 1' } as const;
    const result = await calls.call(
      handler(() => ({ text: 'three tests failed', failure })),
      {},
    );
    expect(result).toMatchObject({ success: false, output: 'three tests failed', error: failure });
  });

  it('measures with the clock, in whole milliseconds', async () => {
    const slow = handler(() => {
      calls.elapsedMs += 15.2;
      return '';
    });
    expect((await calls.call(slow, {})).durationMs).toBe(16);
  });

  it('says that nothing holds a handler of the host program', async () => {
    const result = await calls.call(
      handler(() => ''),
      {},
    );
    expect(result.enforcement).toMatchObject({
      backend: 'none',
      reasons: [expect.stringContaining('handler')],
    });
  });

  it('answers for a handler that cannot be run at all', async () => {
    const broken = { tool } as ToolHandler;
    expect(await calls.call(broken, {})).toMatchObject({
      success: false,
      error: { code: 'EXECUTION.TOOL.FAILED' },
    });
  });
});
