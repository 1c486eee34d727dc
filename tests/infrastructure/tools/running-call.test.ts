import { describe, expect, it } from '@jest/globals';
import { createTool } from '../../../src/domain/tool.js';
import { GRACE_MS } from '../../../src/infrastructure/tools/running-call.js';
import type { ToolContext, ToolHandler } from '../../../src/ports/tool-handler.js';
import { FakeToolCalls } from '../../support/fake-tool-call.js';

const tool = createTool({ name: 'probe' });
const handler = (run: ToolHandler['run']): ToolHandler => ({ tool, run });
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a call that runs too long', () => {
  const calls = new FakeToolCalls();

  it('is told to stop and hands over what it has', async () => {
    const cooperative = handler(async (_args, { signal }) => {
      await aborted(signal);
      return 'half of it';
    });
    const result = await calls.call(cooperative, {}, { timeoutMs: 20 });
    expect(result).toMatchObject({
      success: false,
      output: 'half of it',
      error: { code: 'EXECUTION.TOOL.TIMEOUT', message: 'timed out after 20 ms' },
    });
  });

  it('has failed by time, not by the error it stops with', async () => {
    const throwing = handler(async (_args, { signal }) => {
      await aborted(signal);
      throw signal.reason;
    });
    const result = await calls.call(throwing, {}, { timeoutMs: 20 });
    expect(result).toMatchObject({
      output: 'timed out after 20 ms',
      error: { code: 'EXECUTION.TOOL.TIMEOUT' },
    });
  });

  it('is abandoned when it ignores its signal, and its late failure harms no one', async () => {
    let fail: (error: Error) => void = () => undefined;
    const stubborn = handler(
      () =>
        new Promise<string>((_resolve, reject) => {
          fail = reject;
        }),
    );
    const began = performance.now();
    const result = await calls.call(stubborn, {}, { timeoutMs: 20 });
    expect(performance.now() - began).toBeGreaterThanOrEqual(GRACE_MS);
    expect(result.error?.message).toBe(
      'timed out after 20 ms; it did not stop when told to and was abandoned',
    );
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('finds its signal aborted when it looks only after the time is up', async () => {
    let late: ToolContext['signal'] | undefined;
    const looksLate = handler(async (_args, context) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      late = context.signal;
      return '';
    });
    await calls.call(looksLate, {}, { timeoutMs: 10 });
    expect(late?.aborted).toBe(true);
    expect(late?.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('may be given more time than a timer can hold', async () => {
    const quick = handler(() => new Promise<string>((resolve) => setTimeout(resolve, 20, 'done')));
    expect(await calls.call(quick, {}, { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({
      output: 'done',
    });
  });
});

describe('a call that is cancelled', () => {
  const calls = new FakeToolCalls();

  it('is not begun when it was cancelled before', async () => {
    let ran = false;
    const noting = handler(() => {
      ran = true;
      return '';
    });
    const result = await calls.call(noting, {}, { signal: AbortSignal.abort() });
    expect(ran).toBe(false);
    expect(result).toMatchObject({ success: false, error: { code: 'EXECUTION.CALL.CANCELLED' } });
  });

  it('is told to stop, with the reason in its result', async () => {
    const controller = new AbortController();
    const cooperative = handler(async (_args, { signal }) => {
      controller.abort(new Error('the step is over'));
      if (!signal.aborted) await aborted(signal);
      return 'partial';
    });
    const result = await calls.call(cooperative, {}, { signal: controller.signal });
    expect(result).toMatchObject({
      output: 'partial',
      error: { code: 'EXECUTION.CALL.CANCELLED', message: 'cancelled: the step is over' },
    });
  });

  it('stops all calls that share the signal, and listens to it once', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const original = signal.addEventListener.bind(signal);
    signal.addEventListener = (...parameters: Parameters<typeof original>) => {
      listeners++;
      original(...parameters);
    };
    const waiting = handler(async (_args, context) => {
      await aborted(context.signal);
      return 'stopped';
    });
    const running = Array.from({ length: 50 }, () => calls.call(waiting, {}, { signal }));
    setTimeout(() => controller.abort(), 20);
    const results = await Promise.all(running);
    expect(results.every(({ output }) => output === 'stopped')).toBe(true);
    expect(listeners).toBe(1);
  });
});
