import { describe, expect, it } from '@jest/globals';
import type { OrchestratorEvent } from '../../src/application/events.js';
import { foldRun } from '../../src/application/fold-run.js';
import { GatedCalls, type GatedCallsRequest } from '../../src/application/gated-calls.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import { anyObject, directExecutor, gateOf, SteppingClock, toolOf } from '../support/loop-fixture.js';

const NEVER = new AbortController().signal;

async function gatedCalls(
  request: Partial<GatedCallsRequest> & Pick<GatedCallsRequest, 'tools'>,
  gate: ApprovalGate = gateOf(),
) {
  const journal = new MemoryJournal();
  const session = await journal.open('run-1', 'create');
  const events: OrchestratorEvent[] = [];
  const ports = { executor: directExecutor, gate, validator: anyObject, clock: new SteppingClock() };
  const emit = (event: OrchestratorEvent) => void events.push(event);
  const calls = new GatedCalls(ports, { step: 'serve', session, signal: NEVER, emit, ...request });
  const call = (tool: string, args = {}, signal = NEVER) => calls.call({ tool, arguments: args }, { signal });
  return { calls, call, events, records: () => journal.read('run-1') };
}

/** A gate that answers when it is told to, or never. */
function patientGate(): ApprovalGate & { readonly asked: string[]; readonly answer: (() => void)[] } {
  const asked: string[] = [];
  const answer: (() => void)[] = [];
  return {
    asked,
    answer,
    review: ({ planHash }, { agent }) =>
      new Promise((resolve) => {
        asked.push(`${agent} ${planHash}`);
        answer.push(() => resolve({ kind: 'approved', planHash, scope: 'once', source: 'user' }));
      }),
  };
}

function gateKeeper(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

describe('GatedCalls', () => {
  it('answers a call, and records it by its position', async () => {
    const { call, calls, events, records } = await gatedCalls({ tools: [toolOf('greet', () => 'hello')] });
    const { text, record } = await call('greet', { name: 'Ada' });
    expect(text).toBe('hello');
    expect(record).toMatchObject({ id: 'call_1', tool: 'greet', arguments: { name: 'Ada' } });
    expect(record.result).toMatchObject({ success: true, approval: 'auto' });
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'call-end']);
    const state = await calls.close();
    expect(state).toMatchObject({ stoppedBy: 'completed', toolStats: { totalCalls: 1, successful: 1 } });
    const ids = (await records()).map((one) =>
      one.type === 'intent' ? one.effects.map(({ id }) => id).join() : 'id' in one ? one.id : one.type,
    );
    expect(ids).toEqual(['serve/1/1/ask', 'serve/1/1/call', 'serve/1/1/call']);
  });

  it.each([
    ['an unknown tool', 'greeet', {}, 'EXECUTION.CALL.UNKNOWN_TOOL', 'The tools are: greet'],
    ['arguments that do not fit', 'greet', [], 'EXECUTION.CALL.INVALID_ARGUMENTS', 'expected an object'],
  ])('answers %s with a result that can be mended', async (_, tool, args, code, words) => {
    const { call } = await gatedCalls({ tools: [toolOf('greet')] });
    const { text, record } = await call(tool, args);
    expect(record.result).toMatchObject({ success: false, error: { code } });
    expect(text).toContain(words);
  });

  it('asks about many calls at once, and runs each when it is approved', async () => {
    const gate = patientGate();
    const { calls } = await gatedCalls(
      { tools: [toolOf('greet', () => 'hi', { approval: 'prompt' })] },
      gate,
    );
    const [first, second] = [1, 2].map((n) =>
      calls.call({ tool: 'greet', arguments: { n } }, { signal: NEVER, agent: `agent-${n}` }),
    );
    await until(() => gate.asked.length === 2);
    expect(gate.asked).toEqual(['agent-1 greet{"n":1}', 'agent-2 greet{"n":2}']);
    gate.answer[1]?.();
    expect((await second)?.record.result).toMatchObject({ success: true, approval: 'user' });
    gate.answer[0]?.();
    expect((await first)?.text).toBe('hi');
  });

  it('withdraws the question about a cancelled call for good', async () => {
    const gate = patientGate();
    const ran: string[] = [];
    const { call, calls, records } = await gatedCalls(
      { tools: [toolOf('greet', () => ran.push('greet'), { approval: 'prompt' })] },
      gate,
    );
    const controller = new AbortController();
    const cancelled = call('greet', { n: 1 }, controller.signal);
    const other = call('greet', { n: 2 });
    await until(() => gate.asked.length === 2);
    controller.abort();
    expect((await cancelled).record.result.success).toBe(false);
    // A late yes changes nothing, and the other call still waits for its own.
    gate.answer[0]?.();
    gate.answer[1]?.();
    expect((await other).record.result.success).toBe(true);
    await calls.close();
    expect(ran).toEqual(['greet']);
    expect(foldRun(await records()).waiting).toEqual([]);
  });

  it('ends the work of a cancelled call, and no other', async () => {
    const begun: unknown[] = [];
    const ended: unknown[] = [];
    const work = ({ n }: { readonly n?: unknown }, signal: AbortSignal) =>
      new Promise<string>((resolve) => {
        begun.push(n);
        signal.addEventListener('abort', () => {
          ended.push(n);
          resolve('stopped');
        });
      });
    const { call, calls } = await gatedCalls({ tools: [toolOf('wait', work)] });
    const controller = new AbortController();
    const first = call('wait', { n: 1 }, controller.signal);
    const second = call('wait', { n: 2 });
    await until(() => begun.length === 2);
    controller.abort();
    await first;
    expect(ended).toEqual([1]);
    await calls.close();
    await second;
    expect(ended).toEqual([1, 2]);
  });

  it('refuses the calls past max_calls, also when all come at once, and says so', async () => {
    const { call, calls } = await gatedCalls({ tools: [toolOf('greet')], limits: { maxCalls: 2 } });
    const answers = await Promise.all([1, 2, 3].map((n) => call('greet', { n })));
    expect(answers.map(({ record }) => record.result.error?.code)).toEqual([
      undefined,
      undefined,
      'EXECUTION.CALL.MAX_CALLS',
    ]);
    expect(answers[2]?.text).toContain('may make 2 calls (max_calls)');
    expect(calls.stoppedBy).toBe('max_calls');
  });

  it('refuses a call that goes round in a circle, and lets another run', async () => {
    const { call } = await gatedCalls({ tools: [toolOf('look', () => 'the same')] });
    for (let round = 0; round < 5; round += 1) expect((await call('look')).text).toBe('the same');
    expect((await call('look')).text).toContain('reached its limit (cycle)');
    expect((await call('look', { elsewhere: true })).text).toBe('the same');
  });

  it('refuses calls once a budget is spent', async () => {
    const { call, calls } = await gatedCalls({ tools: [toolOf('greet')], limits: { maxTokens: 100 } });
    expect((await call('greet')).record.result.success).toBe(true);
    calls.addUsage({ inputTokens: 90, outputTokens: 20 });
    expect((await call('greet')).text).toContain('reached its limit (max_tokens)');
    expect((await calls.close()).stoppedBy).toBe('max_tokens');
  });

  it('runs at most max_parallel calls at a time, and an exclusive one alone', async () => {
    let running = 0;
    const seen: string[] = [];
    const gates = new Map<string, ReturnType<typeof gateKeeper>>();
    const work = async ({ n }: { readonly n?: unknown }) => {
      running += 1;
      seen.push(`${n}:${running}`);
      const gate = gateKeeper();
      gates.set(String(n), gate);
      await gate.promise;
      running -= 1;
      return 'done';
    };
    const tools = [toolOf('share', work), toolOf('alone', work, { exclusive: true })];
    const { call } = await gatedCalls({ tools, limits: { maxParallel: 2 } });
    const all = [
      call('share', { n: 'a' }),
      call('share', { n: 'b' }),
      call('share', { n: 'c' }),
      call('alone', { n: 'd' }),
      call('share', { n: 'e' }),
    ];
    for (const [name, last] of ['ab', 'bc', 'cc', 'dd', 'ee'] as const) {
      await until(() => gates.has(last ?? ''));
      gates.get(name ?? '')?.open();
    }
    await Promise.all(all);
    expect(seen).toEqual(['a:1', 'b:2', 'c:2', 'd:1', 'e:1']);
  });

  it('lets no call run after a person stopped the session', async () => {
    const gate = gateOf('abort');
    const tools = [toolOf('write', () => 'written', { approval: 'prompt' }), toolOf('read')];
    const { call, calls } = await gatedCalls({ tools }, gate);
    expect((await call('write')).record.result.error?.code).toBe('EXECUTION.CALL.CANCELLED');
    expect((await call('read')).text).toContain('(aborted)');
    expect((await calls.close()).stoppedBy).toBe('aborted');
  });

  it('takes an answer that may come days later for none', async () => {
    const { call } = await gatedCalls(
      { tools: [toolOf('write', undefined, { approval: 'prompt' })] },
      gateOf('pending'),
    );
    expect((await call('write')).record.result.error?.code).toBe('EXECUTION.APPROVAL.UNAVAILABLE');
  });

  it('answers a call that was cancelled before it came', async () => {
    const { call, records } = await gatedCalls({ tools: [toolOf('greet')] });
    const { record } = await call('greet', {}, AbortSignal.abort());
    expect(record.result.error?.code).toBe('EXECUTION.CALL.CANCELLED');
    expect((await records()).filter(({ type }) => type === 'intent')).toEqual([]);
  });

  it('goes on counting where an earlier process of the run left off', async () => {
    const journal = new MemoryJournal();
    const ports = {
      executor: directExecutor,
      gate: gateOf(),
      validator: anyObject,
      clock: new SteppingClock(),
    };
    for (const mode of ['create', 'continue'] as const) {
      const session = await journal.open('run-1', mode);
      const calls = new GatedCalls(ports, { step: 's', session, signal: NEVER, tools: [toolOf('greet')] });
      await calls.call({ tool: 'greet', arguments: {} }, { signal: NEVER });
      await session.close();
    }
    const ids = (await journal.read('run-1')).flatMap((one) => (one.type === 'outcome' ? [one.id] : []));
    expect(ids).toEqual(['s/1/1/ask', 's/1/1/call', 's/2/1/ask', 's/2/1/call']);
  });
});
