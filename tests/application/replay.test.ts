import { describe, expect, it } from '@jest/globals';
import { ToolgateError } from '../../src/domain/errors.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import type { RunJournal } from '../../src/ports/run-journal.js';
import { agentOf, gateOf, runStep, SteppingClock, toolOf } from '../support/loop-fixture.js';

const OPEN = { secrets: [], durability: 'crash' } as const;

/** Two turns with calls, one of them asked about; `effects` counts what really happened. */
function scenario() {
  const effects: string[] = [];
  const agent = agentOf(
    [
      ['write', { n: 1 }],
      ['read', { n: 1 }],
    ],
    [
      ['ask', { n: 2 }],
      ['write', { n: 3 }],
    ],
    'the end',
  );
  const note = (name: string) => (args: object) => {
    effects.push(`${name}${JSON.stringify(args)}`);
    return `${name} ok`;
  };
  const tools = [
    toolOf('write', note('write')),
    toolOf('read', note('read'), { idempotent: true, sideEffects: 'none' }),
    toolOf('ask', note('ask'), { approval: 'prompt' }),
  ];
  return { agent, tools, effects };
}

async function recordWhole(): Promise<readonly JournalRecord[]> {
  const journal: RunJournal = new MemoryJournal(new SteppingClock());
  const session = await journal.open('whole', 'create', OPEN);
  const { agent, tools } = scenario();
  await runStep({ agent, tools }, { session, gate: gateOf('approved') });
  return journal.read('whole');
}

async function resumeFrom(records: readonly JournalRecord[], gate = gateOf('approved')) {
  const journal: RunJournal = new MemoryJournal(new SteppingClock(), [['run', records]]);
  const session = await journal.open('run', 'continue', OPEN);
  const { agent, tools, effects } = scenario();
  const { state, events } = await runStep({ agent, tools }, { session, gate });
  return { state, events, effects, agent, gate, records: await journal.read('run') };
}

describe('a run computed again from its journal', () => {
  it('repeats nothing when everything is recorded, and says that it was replayed', async () => {
    const { state, effects, agent, events } = await resumeFrom(await recordWhole());
    expect(effects).toEqual([]);
    expect(agent.requests).toEqual([]);
    expect(state).toMatchObject({ stoppedBy: 'completed', output: 'the end', turns: 3 });
    const marks = events.filter(({ type }) => type === 'call-end' || type === 'turn-end');
    expect(marks.every(({ replayed }) => replayed)).toBe(true);
  });

  it('takes at most four records a call', async () => {
    const journal: RunJournal = new MemoryJournal();
    const session = await journal.open('one', 'create', OPEN);
    const turns = Array.from({ length: 20 }, (_, n) => [['t', { n }] as const]);
    await runStep({ agent: agentOf(...turns, 'ok'), tools: [toolOf('t')] }, { session });
    const records = await journal.read('one');
    // Three records frame the step: its beginning, and the last turn's two.
    expect(records.length - 3).toBe(20 * 4);
  });

  it('goes on from any record: nothing happens twice and every call has one answer', async () => {
    const whole = await recordWhole();
    const all = ['write{"n":1}', 'read{"n":1}', 'ask{"n":2}', 'write{"n":3}'];
    for (let length = 0; length <= whole.length; length += 1) {
      const left = whole.slice(0, length);
      const { state, effects } = await resumeFrom(left, approvesPolicyOnly());
      const begun = idsOf(left, 'intent').filter((id) => id.endsWith('/call'));
      const ended = idsOf(left, 'outcome').filter((id) => id.endsWith('/call'));
      const inDoubt = begun.filter((id) => !ended.includes(id) && id !== 'work/1/2/call');
      expect(effects).toEqual(all.filter((_, n) => mustRun(CALL_IDS[n] ?? '', { begun, ended })));
      const doubted = state.toolCalls.filter(
        ({ result }) => result.error?.code === 'EXECUTION.CALL.IN_DOUBT',
      );
      expect(doubted).toHaveLength(inDoubt.length);
      expect(state).toMatchObject({ stoppedBy: 'completed', output: 'the end' });
      expect(state.toolCalls).toHaveLength(4);
    }
  });

  it('asks about a call in doubt, and runs it again only on a yes', async () => {
    const whole = await recordWhole();
    const upTo = whole.findIndex((record) => record.type === 'intent' && record.effects[0]?.kind === 'call');
    const gate = gateOf('approved', 'approved');
    const { effects, state } = await resumeFrom(whole.slice(0, upTo + 1), gate);
    expect(gate.asked[0]).toBe('in-doubt write{"n":1}');
    expect(effects).toContain('write{"n":1}');
    expect(state.toolStats.failed).toBe(0);
  });

  it('puts an in-doubt question that nobody answered by the same name again', async () => {
    const whole = await recordWhole();
    const upTo = whole.findIndex((record) => record.type === 'intent' && record.effects[0]?.kind === 'call');
    const crashed = whole.slice(0, upTo + 1);
    const journal: RunJournal = new MemoryJournal(new SteppingClock(), [['run', crashed]]);
    const names: string[] = [];
    for (const kind of ['pending', 'denied'] as const) {
      const session = await journal.open('run', 'continue', OPEN);
      const { agent, tools } = scenario();
      const review: ApprovalGate['review'] = async (_, { effectId }) => {
        names.push(effectId);
        return kind === 'pending' ? { kind } : { kind, reason: 'no' };
      };
      await runStep({ agent, tools }, { session, gate: { review } });
      await session.close();
    }
    expect(names.slice(0, 2)).toEqual(['work/1/1/call-review-1', 'work/1/1/call-review-1']);
  });

  it('does not ask a person again for what was answered', async () => {
    const whole = await recordWhole();
    const upTo = whole.findIndex((record) => record.type === 'outcome' && record.kind === 'review');
    const gate = gateOf();
    const { effects } = await resumeFrom(whole.slice(0, upTo + 1), gate);
    expect(gate.asked).toEqual([]);
    expect(effects).toEqual(['ask{"n":2}', 'write{"n":3}']);
  });

  it('suspends on a pending approval and goes on with an answer that came as a signal', async () => {
    const { agent, tools, effects } = scenario();
    const journal: RunJournal = new MemoryJournal(new SteppingClock());
    const session = await journal.open('run', 'create', OPEN);
    const { state } = await runStep({ agent, tools }, { session, gate: gateOf('pending') });
    expect(state.stoppedBy).toBe('suspended');
    expect(effects).toEqual(['write{"n":1}', 'read{"n":1}']);
    const planHash = 'ask{"n":2}';
    const payload = { kind: 'approved', planHash, scope: 'once', source: 'user' } as const;
    session.append({ type: 'signal', name: 'work/2/1/review', payload });
    const resumed = await resumeFrom(await journal.read('run'), gateOf());
    expect(resumed.effects).toEqual(['ask{"n":2}', 'write{"n":3}']);
    expect(resumed.state.stoppedBy).toBe('completed');
  });

  it('does not run on an approval of another plan', async () => {
    const whole = await recordWhole();
    const forged = whole.map((record) =>
      record.type === 'outcome' && record.kind === 'review'
        ? {
            ...record,
            value: { kind: 'approved', planHash: 'other', scope: 'once', source: 'user' } as const,
          }
        : record,
    );
    const upTo = forged.findIndex((record) => record.type === 'outcome' && record.kind === 'review');
    const { effects, state } = await resumeFrom(forged.slice(0, upTo + 1));
    expect(effects).toEqual(['write{"n":3}']);
    expect(state.toolCalls[2]?.result.error?.code).toBe('EXECUTION.APPROVAL.STALE');
  });
});

/** As on a run without a terminal but with --yes: a call in doubt is never let through. */
function approvesPolicyOnly(): ReturnType<typeof gateOf> {
  const gate = gateOf();
  return {
    ...gate,
    review: async ({ planHash, reason }) =>
      reason.kind === 'policy'
        ? { kind: 'approved', planHash, scope: 'once', source: 'flag' }
        : { kind: 'denied', reason: 'in doubt' },
  };
}

const CALL_IDS = ['work/1/1/call', 'work/1/2/call', 'work/2/1/call', 'work/2/2/call'];

/** What has an outcome is over; what has begun is in doubt, and only a tool that is idempotent runs again. */
function mustRun(id: string, { begun, ended }: { begun: string[]; ended: string[] }): boolean {
  if (ended.includes(id)) return false;
  return !begun.includes(id) || id === 'work/1/2/call';
}

function idsOf(records: readonly JournalRecord[], type: 'intent' | 'outcome'): string[] {
  return records.flatMap((record) => {
    if (record.type !== type) return [];
    return record.type === 'intent' ? record.effects.map(({ id }) => id) : [(record as { id: string }).id];
  });
}

describe('a journal that cannot be written', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('stops the run at record %i, before the effect', async (last) => {
    const journal: RunJournal = new MemoryJournal(new SteppingClock());
    const session = await journal.open('run', 'create', OPEN);
    let left = last;
    const full = {
      ...session,
      append: (entry: Parameters<typeof session.append>[0]) => {
        if (left === 0) throw new ToolgateError('SYSTEM.JOURNAL.UNWRITABLE', 'the disk is full');
        left -= 1;
        return session.append(entry);
      },
    };
    const { agent, tools, effects } = scenario();
    const run = runStep({ agent, tools }, { session: full, gate: gateOf('approved') });
    await expect(run).rejects.toMatchObject({ code: 'SYSTEM.JOURNAL.UNWRITABLE' });
    const announced = idsOf(await journal.read('run'), 'intent').filter((id) => id.endsWith('/call'));
    expect(effects.length).toBeLessThanOrEqual(announced.length);
  });
});
