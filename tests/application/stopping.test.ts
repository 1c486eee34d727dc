import { describe, expect, it } from '@jest/globals';
import { repeatedCycle } from '../../src/application/stop-conditions.js';
import { ToolgateError } from '../../src/domain/errors.js';
import { ReplyError } from '../../src/domain/reply-error.js';
import type { ToolExecutor } from '../../src/ports/tool-executor.js';
import type { Turn } from '../support/loop-fixture.js';
import { agentOf, directExecutor, gateOf, runStep, SteppingClock, toolOf } from '../support/loop-fixture.js';

/** An agent that asks for another call every turn, always a new one. */
function restless(count = 100): Turn[] {
  return Array.from({ length: count }, (_, n) => [['t', { n }]]);
}

describe('a step that must stop', () => {
  it('stops after max_calls with one last turn without tools', async () => {
    const agent = agentOf([['t', { n: 1 }]], [['t', { n: 2 }]], [['t', { n: 3 }]], 'summed up');
    const { state } = await runStep({ agent, tools: [toolOf('t')], limits: { maxCalls: 2 } });
    expect(state).toMatchObject({ stoppedBy: 'max_calls', output: 'summed up', turns: 4 });
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual([
      undefined,
      undefined,
      'EXECUTION.CALL.MAX_CALLS',
    ]);
    expect(agent.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 1, 0]);
  });

  it('does not count it as a limit when the last allowed call was the last one wanted', async () => {
    const agent = agentOf([['t', { n: 1 }]], [['t', { n: 2 }]], 'done');
    const { state } = await runStep({ agent, tools: [toolOf('t')], limits: { maxCalls: 2 } });
    expect(state).toMatchObject({ stoppedBy: 'completed', output: 'done' });
  });

  it('answers the calls of one reply that are past the limit, and runs those that are not', async () => {
    const agent = agentOf(
      [
        ['t', { n: 1 }],
        ['t', { n: 2 }],
        ['t', { n: 3 }],
      ],
      'ok',
    );
    const { state } = await runStep({ agent, tools: [toolOf('t')], limits: { maxCalls: 2 } });
    expect(state.toolCalls.map(({ result }) => result.success)).toEqual([true, true, false]);
    expect(state.stoppedBy).toBe('max_calls');
  });

  it('does not take the beginning of an answer for the answer', async () => {
    const message = { role: 'assistant', content: 'Once upon', calls: [], cutOff: true } as const;
    const { state } = await runStep({ agent: { name: 'wordy', complete: async () => ({ message }) } });
    expect(state).toMatchObject({
      stoppedBy: 'error',
      output: 'Once upon',
      error: { code: 'EXECUTION.PROVIDER.CUT_OFF', message: expect.stringContaining('max_tokens') },
    });
  });

  it('says why an answer has no end, where the agent knows it', async () => {
    const cut = { cutOff: true, cutReason: 'a filter ended it' } as const;
    const message = { role: 'assistant', content: 'Once upon', calls: [], ...cut } as const;
    const { state } = await runStep({ agent: { name: 'held', complete: async () => ({ message }) } });
    expect(state.error).toEqual({
      code: 'EXECUTION.PROVIDER.CUT_OFF',
      message: "The agent's reply was cut off before its end: a filter ended it",
    });
  });

  it('says why nothing is summed up, where the last turn fails', async () => {
    const script = agentOf([['t', { n: 1 }]], [['t', { n: 2 }]]);
    const fail = () => Promise.reject(new ReplyError('EXECUTION.PROVIDER.CONNECTION', 'write EPIPE'));
    const { state } = await runStep({
      agent: {
        name: 'gone',
        complete: (request, context) =>
          request.tools.length > 0 ? script.complete(request, context) : fail(),
      },
      tools: [toolOf('t')],
      limits: { maxCalls: 1 },
    });
    expect(state).toMatchObject({
      stoppedBy: 'max_calls',
      error: { code: 'EXECUTION.PROVIDER.CONNECTION', message: 'write EPIPE' },
    });
  });

  it('counts what a refusal has cost, and is not stopped by a limit that it happens to reach', async () => {
    const usage = { inputTokens: 90, outputTokens: 10, costUsd: 0.5 };
    const refuse = () => Promise.reject(new ReplyError('EXECUTION.PROVIDER.REFUSED', 'I cannot.', usage));
    const { state } = await runStep({
      agent: { name: 'shy', complete: refuse },
      limits: { maxCalls: 1, maxTokens: 50 },
    });
    expect(state).toMatchObject({
      stoppedBy: 'error',
      error: { code: 'EXECUTION.PROVIDER.REFUSED', message: 'I cannot.' },
      usage,
    });
  });

  it('answers, but does not run, calls of the last turn', async () => {
    const { state } = await runStep({
      agent: agentOf(...restless()),
      tools: [toolOf('t')],
      limits: { maxCalls: 1 },
    });
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual([
      undefined,
      'EXECUTION.CALL.MAX_CALLS',
      'EXECUTION.CALL.LIMIT_REACHED',
    ]);
  });

  it.each([
    ['max_tokens', { maxTokens: 30 }, { inputTokens: 10, outputTokens: 10 }],
    ['max_cost', { maxCostUsd: 0.3 }, { inputTokens: 1, outputTokens: 1, costUsd: 0.2 }],
  ])('stops on %s without another turn, its calls answered but not run', async (reason, limits, usage) => {
    const turns = restless().map((calls) => ({ calls: calls as never, usage }));
    const agent = agentOf(...turns);
    const { state } = await runStep({ agent, tools: [toolOf('t')], limits });
    expect(state).toMatchObject({ stoppedBy: reason, turns: 2 });
    expect(state.toolCalls.map(({ result }) => result.success)).toEqual([true, false]);
    expect(agent.requests).toHaveLength(2);
  });

  it('stops when its time is up', async () => {
    const agent = agentOf(...restless());
    const clock = new SteppingClock(400);
    const { state } = await runStep(
      { agent, tools: [toolOf('t')], limits: { maxDurationMs: 1_000 } },
      { clock },
    );
    expect(state.stoppedBy).toBe('max_duration');
    expect(agent.requests.every(({ tools }) => tools.length === 1)).toBe(true);
  });

  it('ends a model turn that is still waiting when time is up', async () => {
    const agent = { name: 'hung', complete: () => new Promise<never>(() => undefined) };
    const clock = { now: () => Date.now(), elapsed: () => performance.now(), newRunId: () => 'run-1' };
    const { state } = await runStep({ agent, limits: { maxDurationMs: 30 } }, { clock });
    expect(state.stoppedBy).toBe('max_duration');
  });

  it.each([1, 2, 3, 4])('notices a cycle of %i turns after five rounds', async (period) => {
    const round = Array.from({ length: period }, (_, n): Turn => [['t', { n }]]);
    const agent = agentOf(...Array.from({ length: 9 }, () => round).flat());
    const { state } = await runStep({ agent, tools: [toolOf('t')] });
    expect(state).toMatchObject({ stoppedBy: 'cycle', turns: period * 5 + 1 });
  });

  it('notices a longer cycle where the caller looks for one', async () => {
    const round = Array.from({ length: 7 }, (_, n): Turn => [['t', { n }]]);
    const agent = agentOf(...Array.from({ length: 6 }, () => round).flat());
    const stopWhen = [repeatedCycle(7, 4)];
    const { state } = await runStep({ agent, tools: [toolOf('t')], stopWhen });
    expect(state).toMatchObject({ stoppedBy: 'cycle', turns: 7 * 4 + 1 });
  });

  it('takes the same call with another result for progress', async () => {
    let n = 0;
    const agent = agentOf(...Array.from({ length: 12 }, (): Turn => [['poll', {}]]), 'ready');
    const { state } = await runStep({ agent, tools: [toolOf('poll', () => (n += 1))] });
    expect(state).toMatchObject({ stoppedBy: 'completed', output: 'ready' });
  });

  it('takes a condition of the caller', async () => {
    const stopWhen = [
      { reason: 'aborted', lastTurn: false, isMet: ({ turns }: { turns: number }) => turns >= 3 },
    ] as const;
    const { state } = await runStep({ agent: agentOf(...restless()), tools: [toolOf('t')], stopWhen });
    expect(state).toMatchObject({ stoppedBy: 'aborted', turns: 3 });
  });

  it('answers every call when it is cancelled in the middle of a batch', async () => {
    const controller = new AbortController();
    const calls = ['a', 'a', 'a'].map((name, n) => [name, { n }] as const);
    const tool = toolOf('a', () => controller.abort());
    const run = { agent: agentOf(calls, 'never'), tools: [tool], limits: { maxParallel: 1 } };
    const { state } = await runStep(run, { signal: controller.signal });
    expect(state.stoppedBy).toBe('cancelled');
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual([
      undefined,
      'EXECUTION.CALL.CANCELLED',
      'EXECUTION.CALL.CANCELLED',
    ]);
  });

  it('records no turn whose calls were interrupted while they were planned, so that it is asked again', async () => {
    const controller = new AbortController();
    const executor: ToolExecutor = {
      ...directExecutor,
      plan: async () => {
        controller.abort(new Error('interrupted'));
        throw new ToolgateError('EXECUTION.CALL.CANCELLED', 'interrupted');
      },
    };
    const { state, journal } = await runStep(
      { agent: agentOf([['t', {}]], 'never'), tools: [toolOf('t')] },
      { executor, signal: controller.signal },
    );
    expect(state).toMatchObject({ stoppedBy: 'cancelled', toolCalls: [] });
    const [runId = ''] = await journal.list();
    const outcomes = (await journal.read(runId)).filter(({ type }) => type === 'outcome');
    expect(outcomes.map((record) => 'kind' in record && record.kind)).not.toContain('turn');
  });

  it('runs nothing of a batch whose approver aborts', async () => {
    let ran = 0;
    const calls = [['free', {}] as const, ['ask', { n: 1 }] as const, ['ask', { n: 2 }] as const];
    const tools = [toolOf('free', () => (ran += 1)), toolOf('ask', () => (ran += 1), { approval: 'prompt' })];
    const { state } = await runStep(
      { agent: agentOf(calls, 'never'), tools },
      { gate: gateOf('approved', 'abort') },
    );
    expect(state.stoppedBy).toBe('aborted');
    expect(ran).toBe(0);
    expect(state.toolCalls).toHaveLength(3);
  });

  it('says so when nobody could be asked, though the agent went on', async () => {
    const gate = gateOf({ kind: 'denied', reason: 'no terminal', unavailable: true });
    const tools = [toolOf('ask', undefined, { approval: 'prompt' })];
    const { state } = await runStep({ agent: agentOf([['ask', {}]], 'gave up'), tools }, { gate });
    expect(state).toMatchObject({ stoppedBy: 'approval_unavailable', output: 'gave up' });
    expect(state.toolCalls[0]?.result.error).toEqual({
      code: 'EXECUTION.APPROVAL.UNAVAILABLE',
      message: 'Denied: no terminal',
    });
  });
});
