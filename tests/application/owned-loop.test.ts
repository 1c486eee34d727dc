import { describe, expect, it } from '@jest/globals';
import { ToolgateError } from '../../src/domain/errors.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import type { JsonObject } from '../../src/domain/json.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { AgentGate } from '../../src/ports/agent-gate.js';
import type { AgentProvider, AgentReply } from '../../src/ports/agent-provider.js';
import type { RunJournal } from '../../src/ports/run-journal.js';
import { gateOf, runStep, SteppingClock, toolOf } from '../support/loop-fixture.js';

const OPEN = { secrets: [], durability: 'crash' } as const;
const NEVER = new AbortController().signal;

type Work = (gate: AgentGate, signal: AbortSignal) => Promise<string | AgentReply>;

/** An agent that runs its own loop: each turn is a function that calls tools by the gate. */
function owner(...turns: readonly Work[]): AgentProvider {
  return {
    name: 'owner',
    ownsLoop: true,
    complete: async ({ messages }, { gate, signal }) => {
      if (!gate) throw new Error('no gate');
      const turn = turns[messages.filter(({ role }) => role === 'assistant').length] ?? turns[0];
      const said = (await turn?.(gate, signal)) ?? '';
      return typeof said === 'string' ? { message: { role: 'assistant', content: said, calls: [] } } : said;
    },
  };
}

const callOf = (gate: AgentGate, tool: string, args: JsonObject = {}) =>
  gate.call({ tool, arguments: args }, { signal: NEVER });

/** Waits as a command line does that is to be ended. */
function untilEnded(gate: AgentGate): Promise<string> {
  return new Promise((resolve) => {
    if (gate.ended.aborted) resolve('so far');
    gate.ended.addEventListener('abort', () => resolve('so far'));
  });
}

async function recorded(records: readonly JournalRecord[] = []) {
  const journal: RunJournal = new MemoryJournal(
    new SteppingClock(),
    records.length > 0 ? [['run', records]] : [],
  );
  const session = await journal.open('run', records.length > 0 ? 'continue' : 'create', OPEN);
  return { journal, session };
}

describe('a step whose agent owns its loop', () => {
  it('has the calls of the agent in its state, and records them before the turn', async () => {
    const agent = owner(async (gate) => {
      gate.tell({ kind: 'session', id: 's1' });
      const { text } = await callOf(gate, 'read', { n: 1 });
      return `it says: ${text}`;
    });
    const { journal, session } = await recorded();
    const { state, events } = await runStep({ agent, tools: [toolOf('read', () => 'hello')] }, { session });
    expect(state).toMatchObject({
      output: 'it says: hello',
      stoppedBy: 'completed',
      turns: 1,
      toolCalls: [{ id: 'call_1', tool: 'read', arguments: { n: 1 } }],
      toolStats: { totalCalls: 1, successful: 1 },
    });
    const outcomes = (await journal.read('run')).flatMap((one) => (one.type === 'outcome' ? [one.id] : []));
    expect(outcomes).toEqual(['work/begin', 'work/1/notice', 'work/1/1/ask', 'work/1/1/call', 'work/1/turn']);
    expect(events.map(({ type }) => type)).toEqual([
      'step-start',
      'turn-start',
      'agent-notice',
      'call-start',
      'call-end',
      'turn-end',
      'step-end',
    ]);
  });

  it("asks about a call once, by the step's own gate", async () => {
    const gate = gateOf('denied', 'approved');
    const agent = owner(async (calls) => {
      const refused = await callOf(calls, 'write', { n: 1 });
      const done = await callOf(calls, 'write', { n: 2 });
      return `${refused.text}; ${done.text}`;
    });
    const tools = [toolOf('write', () => 'written', { approval: 'prompt' })];
    const { state } = await runStep({ agent, tools }, { gate });
    expect(state.output).toBe('Denied: because; written');
    expect(state.toolStats).toMatchObject({ totalCalls: 2, successful: 1, denied: 1 });
  });

  it('ends the agent at max_calls, after the call too many got an answer, with no last turn', async () => {
    const texts: string[] = [];
    const agent = owner(async (gate) => {
      for (let n = 0; n < 3; n += 1) texts.push((await callOf(gate, 'read', { n })).text);
      return untilEnded(gate);
    });
    const { state, events } = await runStep({ agent, tools: [toolOf('read')], limits: { maxCalls: 2 } });
    expect(state).toMatchObject({ stoppedBy: 'max_calls', output: 'so far', turns: 1 });
    expect(state.toolStats).toMatchObject({ totalCalls: 3, successful: 2 });
    expect(texts[2]).toContain('max_calls');
    expect(events.filter(({ type }) => type === 'turn-start')).toHaveLength(1);
  });

  it('ends the agent when it has used more than its tokens, as soon as that is known', async () => {
    const agent = owner(async (gate) => {
      const ended = untilEnded(gate);
      gate.used({ inputTokens: 60, outputTokens: 0 });
      gate.used({ inputTokens: 90, outputTokens: 20 });
      return ended;
    });
    const { state } = await runStep({ agent, limits: { maxTokens: 100 } });
    expect(state).toMatchObject({ stoppedBy: 'max_tokens', output: 'so far' });
  });

  it('counts what a turn had used that failed', async () => {
    const agent = owner(async (gate) => {
      gate.used({ inputTokens: 60, outputTokens: 5, costUsd: 0.5 });
      throw new ToolgateError('EXECUTION.PROVIDER.TIMEOUT', 'it took too long');
    });
    const { state } = await runStep({ agent });
    expect(state).toMatchObject({
      stoppedBy: 'error',
      error: { code: 'EXECUTION.PROVIDER.TIMEOUT', message: 'it took too long' },
      usage: { inputTokens: 60, outputTokens: 5, costUsd: 0.5 },
    });
  });

  it('has come to its end when it says so, also beside a limit', async () => {
    const usage = { inputTokens: 200, outputTokens: 0 };
    const agent = owner(async () => ({
      message: { role: 'assistant', content: 'done', calls: [] },
      usage,
    }));
    const { state } = await runStep({ agent, limits: { maxTokens: 100 } });
    expect(state).toMatchObject({ stoppedBy: 'completed', output: 'done', usage });
  });

  it('ends its calls and the questions about them when the run is cancelled, and lets no other begin', async () => {
    const stop = new AbortController();
    const late: unknown[] = [];
    const agent = owner(async (gate, signal) => {
      const waiting = callOf(gate, 'write');
      setTimeout(() => stop.abort(new Error('enough')), 5);
      late.push((await waiting).result.error?.code);
      await callOf(gate, 'write').then(
        ({ result }) => late.push(result.error?.code),
        () => late.push('refused'),
      );
      signal.throwIfAborted();
      return 'never';
    });
    const gate = { review: () => new Promise<never>(() => undefined) };
    const tools = [toolOf('write', () => 'written', { approval: 'prompt' })];
    const { journal, session } = await recorded();
    const { state } = await runStep({ agent, tools }, { signal: stop.signal, gate, session });
    expect(state.stoppedBy).toBe('cancelled');
    expect(late).toHaveLength(2);
    const ran = (await journal.read('run')).filter((one) => one.type === 'outcome' && one.kind === 'call');
    expect(ran).toEqual([]);
  });
});

describe('a step whose agent owns its loop, in a run that is resumed', () => {
  const effects: string[] = [];
  const tools = [toolOf('write', ({ n }) => effects.push(String(n)) && `wrote ${n}`)];

  async function whole(): Promise<readonly JournalRecord[]> {
    const { journal, session } = await recorded();
    const agent = owner(async (gate) => {
      gate.tell({ kind: 'session', id: 's1' });
      await callOf(gate, 'write', { n: 1 });
      await callOf(gate, 'write', { n: 2 });
      return 'done';
    });
    await runStep({ agent, tools }, { session });
    return journal.read('run');
  }

  it('repeats nothing when all is recorded', async () => {
    const records = await whole();
    effects.length = 0;
    const agent = owner(() => Promise.reject(new Error('asked again')));
    const { state, events } = await runStep({ agent, tools }, { session: (await recorded(records)).session });
    expect(state).toMatchObject({ output: 'done', stoppedBy: 'completed', toolStats: { totalCalls: 2 } });
    expect(effects).toEqual([]);
    const ends = events.filter(({ type }) => type === 'call-end');
    expect(ends.map(({ replayed }) => replayed)).toEqual([true, true]);
  });

  it.each([...Array(9).keys()])(
    'repeats no call after a crash behind record %i, and counts them all',
    async (end) => {
      const records = (await whole()).slice(0, end + 1);
      effects.length = 0;
      let interrupted: AgentGate['interrupted'];
      const agent = owner(async (gate) => {
        interrupted = gate.interrupted;
        await callOf(gate, 'write', { n: 3 });
        return 'went on';
      });
      const { session } = await recorded(records);
      const { state } = await runStep({ agent, tools, limits: { maxCalls: 3 } }, { session });
      const asked = records.filter((one) => one.type === 'outcome' && one.id.endsWith('/ask')).length;
      const isTold = records.some((one) => one.type === 'outcome' && one.kind === 'notice');
      const isOver = records.some((one) => one.type === 'outcome' && one.kind === 'turn');
      expect(effects).toEqual(isOver ? [] : ['3']);
      expect(state.toolCalls).toHaveLength(isOver ? 2 : asked + 1);
      if (isOver || end === 0) return;
      expect(interrupted?.calls).toHaveLength(asked);
      expect(interrupted?.sessionId).toBe(isTold ? 's1' : undefined);
    },
  );

  it('says of a call that had begun that it is in doubt, and runs it no more', async () => {
    const records = await whole();
    const begun = records.findIndex((one) => one.type === 'intent' && one.effects[0]?.id === 'work/2/1/call');
    effects.length = 0;
    const agent = owner(async () => 'went on');
    const { session } = await recorded(records.slice(0, begun + 1));
    const { state } = await runStep({ agent, tools }, { session });
    expect(state.toolCalls.map(({ result }) => result.error?.code)).toEqual([
      undefined,
      'EXECUTION.CALL.IN_DOUBT',
    ]);
    expect(effects).toEqual([]);
  });

  it('is no loop when each exchange leads to the same call, also after a crash; within one it is', async () => {
    const conversation = { mode: 'automatic', nextPrompt: 'again', maxTurns: 7 } as const;
    const read = [toolOf('read')];
    const agent = owner(async (gate) => {
      await callOf(gate, 'read', {});
      return 'read';
    });
    const { journal, session } = await recorded();
    const { state } = await runStep({ agent, tools: read, conversation }, { session });
    expect(state).toMatchObject({ stoppedBy: 'completed', conversation: { turns: 7 } });
    const records = await journal.read('run');
    for (let end = 1; end < records.length; end += 1) {
      const again = await recorded(records.slice(0, end));
      const resumed = await runStep({ agent, tools: read, conversation }, { session: again.session });
      expect(resumed.state).toMatchObject({ stoppedBy: 'completed', conversation: { turns: 7 } });
    }
    const stubborn = owner(async (gate) => {
      while (!gate.ended.aborted) await callOf(gate, 'read', {}).then(() => new Promise(setImmediate));
      return 'read';
    });
    const limits = { maxCalls: 1_000_000 };
    const looping = await runStep({ agent: stubborn, tools: read, conversation, limits });
    expect(looping.state).toMatchObject({ stoppedBy: 'cycle' });
  });
});
