import { describe, expect, it } from '@jest/globals';
import { agentOf, gateOf, runStep, toolOf } from '../support/loop-fixture.js';

describe('ToolOrchestrator', () => {
  it('runs calls, feeds the results back and ends when there are no more', async () => {
    const agent = agentOf([['add', { a: 1 }]], 'all done');
    const { state } = await runStep({ agent, tools: [toolOf('add', ({ a }) => `sum ${Number(a) + 1}`)] });
    expect(state).toMatchObject({
      name: 'work',
      output: 'all done',
      stoppedBy: 'completed',
      turns: 2,
      toolCalls: [
        { id: 'c1.1', tool: 'add', arguments: { a: 1 }, result: { success: true, output: 'sum 2' } },
      ],
      toolStats: { totalCalls: 1, successful: 1, failed: 0, denied: 0 },
    });
    expect(agent.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      results: [{ callId: 'c1.1', tool: 'add', output: 'sum 2', isError: false }],
    });
  });

  it('answers mistakes of the model with results it can read', async () => {
    const agent = agentOf(
      [
        ['Add', {}],
        ['nope', {}],
        ['add', 'text'],
      ],
      'ok',
    );
    const { state } = await runStep({ agent, tools: [toolOf('add')] });
    expect(state.toolCalls.map(({ result }) => result.error)).toEqual([
      {
        code: 'EXECUTION.CALL.UNKNOWN_TOOL',
        message: 'There is no tool "Add". Did you mean "add"? Names are case-sensitive.',
      },
      { code: 'EXECUTION.CALL.UNKNOWN_TOOL', message: 'There is no tool "nope". The tools are: add.' },
      {
        code: 'EXECUTION.CALL.INVALID_ARGUMENTS',
        message: 'The arguments of "add" do not fit, so it was not run:\n- expected an object',
      },
    ]);
    expect(state.stoppedBy).toBe('completed');
    expect(state.toolStats).toMatchObject({ totalCalls: 3, failed: 3, successful: 0 });
  });

  it('keeps the order of the calls whatever the order they end in', async () => {
    const agent = agentOf(
      [
        ['wait', { ms: 20 }],
        ['wait', { ms: 1 }],
      ],
      'ok',
    );
    const wait = toolOf('wait', ({ ms }) => new Promise((done) => setTimeout(() => done(ms), Number(ms))));
    const { state, events } = await runStep({ agent, tools: [wait] });
    const ends = events.flatMap((event) => (event.type === 'call-end' ? [event.callId] : []));
    expect(ends).toEqual(['c1.2', 'c1.1']);
    expect(state.toolCalls.map(({ id }) => id)).toEqual(['c1.1', 'c1.2']);
  });

  it('runs at most max_parallel at once, and exclusive tools alone', async () => {
    let running = 0;
    const seen: number[] = [];
    const work = async () => {
      running += 1;
      seen.push(running);
      await new Promise((done) => setTimeout(done, 2));
      running -= 1;
    };
    const calls = ['a', 'a', 'a', 'solo', 'a', 'a'].map((name) => [name, {}] as const);
    await runStep({
      agent: agentOf(calls, 'ok'),
      tools: [toolOf('a', work), toolOf('solo', work, { exclusive: true })],
      limits: { maxParallel: 2 },
    });
    expect(Math.max(...seen)).toBe(2);
    expect(seen[3]).toBe(1);
  });

  it('gives a failing provider a typed ending', async () => {
    const { state } = await runStep({ agent: agentOf(new Error('no connection')) });
    expect(state).toMatchObject({
      stoppedBy: 'error',
      error: { code: 'EXECUTION.PROVIDER.FAILED', message: 'no connection' },
    });
  });

  it('never runs a call that was cut off', async () => {
    let ran = false;
    const agent = agentOf('unused');
    const complete: typeof agent.complete = async ({ messages }) => ({
      message: {
        role: 'assistant',
        content: '',
        calls:
          messages.length > 1
            ? []
            : [{ id: 'x', name: 'add', arguments: { a: 1 }, complete: false as boolean }],
      },
    });
    const add = toolOf('add', () => {
      ran = true;
    });
    const { state } = await runStep({ agent: { name: 'cut', complete }, tools: [add] });
    expect(state.toolCalls[0]?.result.error?.code).toBe('EXECUTION.CALL.INCOMPLETE');
    expect(ran).toBe(false);
  });

  it('refuses two tools of one name', async () => {
    const run = runStep({ agent: agentOf('x'), tools: [toolOf('a'), toolOf('a')] });
    await expect(run).rejects.toMatchObject({ code: 'WORKFLOW.VALIDATION.DUPLICATE' });
  });

  it('does not let a slow reader stall the calls', async () => {
    let ran = 0;
    let bothRan: () => void = () => undefined;
    const waiting = new Promise<void>((done) => {
      bothRan = done;
    });
    const tool = toolOf('t', () => {
      ran += 1;
      if (ran === 2) bothRan();
    });
    const agent = agentOf([['t', { n: 1 }]], [['t', { n: 2 }]], 'ok');
    // The reader does not go past the first event until both calls are over: it would wait for ever if they waited.
    const { state } = await runStep({ agent, tools: [tool] }, { onEvent: () => waiting });
    expect(state.toolStats.successful).toBe(2);
  });

  it('cancels the step when the reader leaves', async () => {
    let aborted = false;
    const slow = toolOf('slow', (_args, signal) => {
      return new Promise((_done, fail) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          fail(new Error('stopped'));
        });
      });
    });
    const leave = runStep(
      { agent: agentOf([['slow', {}]], 'ok'), tools: [slow] },
      {
        onEvent: (event) => {
          if (event.type === 'call-start') throw new Error('the reader is gone');
        },
      },
    );
    await expect(leave).rejects.toThrow('the reader is gone');
    expect(aborted).toBe(true);
  });

  it('asks for approval one call at a time, before any call runs', async () => {
    const order: string[] = [];
    const gate = gateOf('approved', 'denied');
    const review = gate.review.bind(gate);
    const noting = {
      review: (...args: Parameters<typeof review>) => {
        order.push('ask');
        return review(...args);
      },
    };
    const run = toolOf('run', () => void order.push('run'));
    const ask = toolOf('ask', () => void order.push('approved'), { approval: 'prompt' });
    const calls = [['run', {}] as const, ['ask', { n: 1 }] as const, ['ask', { n: 2 }] as const];
    const { state } = await runStep({ agent: agentOf(calls, 'ok'), tools: [run, ask] }, { gate: noting });
    expect(order).toEqual(['ask', 'ask', 'run', 'approved']);
    expect(state.toolCalls.map(({ result }) => [result.success, result.approval])).toEqual([
      [true, 'auto'],
      [true, 'user'],
      [false, 'none'],
    ]);
    expect(state.toolStats).toMatchObject({ denied: 1, failed: 1, successful: 2, totalCalls: 3 });
  });
});
