import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision, ApprovalRequest, RunRule } from '../../../src/domain/approval.js';
import type { PlannedAction, PlannedCommand } from '../../../src/domain/plan.js';
import { OneAtATimeGate } from '../../../src/infrastructure/approval/one-at-a-time-gate.js';
import { RememberingApprovalGate } from '../../../src/infrastructure/approval/remembering-approval-gate.js';
import { MemoryRememberedDecisions } from '../../../src/infrastructure/journal/memory-remembered-decisions.js';
import { ScriptedApprovalGate } from '../../../src/testing/scripted-approval-gate.js';
import { describeApprovalGateContract } from '../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

const yes: ApprovalDecision = { kind: 'approved', planHash: '', scope: 'once', source: 'user' };
const approving = { review: async ({ planHash }: ApprovalRequest) => ({ ...yes, planHash }) };

for (const Gate of [RememberingApprovalGate, OneAtATimeGate]) {
  describeApprovalGateContract(Gate.name, () => {
    const next = {
      review: async (request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }) =>
        signal.aborted ? ({ kind: 'denied', reason: 'stopped' } as const) : nextAnswer(request, signal),
    };
    const store = new MemoryRememberedDecisions();
    const remembering = new RememberingApprovalGate({ store, next, fits: () => false });
    return { gate: Gate === OneAtATimeGate ? new OneAtATimeGate(next) : remembering, answer: async () => {} };
  });
}

/** Yes to a prompt; nothing, until the signal, to anything else. */
function nextAnswer({ planHash, reason }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
  if (reason.kind === 'policy') return Promise.resolve({ ...yes, planHash } as ApprovalDecision);
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ kind: 'denied', reason: 'stopped' })),
  );
}

const processOf = (...lines: readonly string[]): PlannedAction => ({
  kind: 'process',
  argv: ['/bin/sh'],
  cwd: '/w',
  commands: lines.map((line): PlannedCommand => {
    const [name = '', ...args] = line.split(' ');
    return { name, path: `/usr/bin/${name}`, args };
  }),
});

function setUp(decision: Partial<Extract<ApprovalDecision, { kind: 'approved' }>>) {
  const notes: string[] = [];
  const asked: ApprovalRequest[] = [];
  const store = new MemoryRememberedDecisions();
  const next = {
    review: async (request: ApprovalRequest) => {
      asked.push(request);
      return { ...yes, planHash: request.planHash, ...decision } as ApprovalDecision;
    },
  };
  const gate = new RememberingApprovalGate({
    store,
    next,
    fits: () => false,
    notify: (text) => void notes.push(text),
    now: () => 5,
  });
  const review = (
    planHash: string,
    action: PlannedAction = { kind: 'handler' },
    more: Parameters<typeof requestFor>[0] = {},
  ) => gate.review(requestFor({ planHash, action, ...more }), contextWith());
  return { store, notes, asked, review, gate };
}

describe('RememberingApprovalGate', () => {
  const rule = { command: ['git', 'status'] };

  it('asks again about what was approved once', async () => {
    const { review, asked, store } = setUp({ scope: 'once' });
    await review('h1');
    await review('h1');
    expect(asked).toHaveLength(2);
    expect((await store.read()).decisions).toEqual([]);
  });

  it('remembers exactly one call, and no other', async () => {
    const { review, asked, store } = setUp({ scope: 'always', by: 'ada' });
    expect(await review('h1')).toMatchObject({ source: 'user', scope: 'always' });
    expect(await review('h1')).toEqual({
      kind: 'approved',
      planHash: 'h1',
      scope: 'once',
      source: 'remembered',
    });
    expect(asked).toHaveLength(1);
    await review('h2');
    await review('h1', { kind: 'handler' }, { tool: 'other' });
    expect(asked).toHaveLength(3);
    expect((await store.read()).decisions[0]).toMatchObject({
      tool: 'shell',
      planHash: 'h1',
      by: 'ada',
      at: 5,
    });
  });

  it('notes whose process it was where the answer does not say who gave it', async () => {
    const store = new MemoryRememberedDecisions();
    const next = { review: async () => ({ ...yes, planHash: 'h', scope: 'always' }) as ApprovalDecision };
    const gate = new RememberingApprovalGate({ store, next, fits: () => false, who: 'grace' });
    await gate.review(requestFor({ planHash: 'h', action: { kind: 'handler' } }), contextWith());
    expect((await store.read()).decisions).toMatchObject([{ by: 'grace' }]);
  });

  it('does not remember words whose meaning stands in files that the agent may change', async () => {
    for (const scope of ['run', 'always'] as const) {
      const { review, asked, notes } = setUp({ scope });
      for (const _time of [1, 2]) {
        expect(await review('h1', processOf('npm test'))).toMatchObject({ kind: 'approved', scope: 'once' });
      }
      expect(asked).toHaveLength(2);
      expect(notes[0]).toMatch(/holds for this call only: what "npm" does stands in files/);
    }
  });

  it('remembers a rule, for every call of the tool that fits it', async () => {
    const { review, asked } = setUp({ scope: 'always', rule });
    await review('h1', processOf('git status'));
    expect(await review('h2', processOf('git status -s'))).toMatchObject({
      source: 'remembered',
      planHash: 'h2',
    });
    expect(await review('h3', processOf('git status', 'git status -s'))).toMatchObject({
      source: 'remembered',
    });
    expect(asked).toHaveLength(1);
    for (const action of [processOf('git push'), processOf('git status', 'rm x')]) await review('h4', action);
    await review('h5', { ...processOf('git status'), unread: 'a redirection' } as PlannedAction);
    await review('h6', processOf('git status'), { tool: 'other' });
    expect(asked).toHaveLength(5);
  });

  it.each([
    ['a compound command', { rule }, processOf('git status', 'git status -s'), 'compound'],
    [
      'what was not read',
      { rule },
      { ...processOf('git status'), unread: 'x' } as PlannedAction,
      'does not speak',
    ],
    ['another call', { rule }, processOf('git push'), 'does not speak'],
    ['a rule with nothing in it', { rule: {} }, processOf('git status'), 'does not speak'],
    ['changed arguments', { arguments: { command: 'ls' } }, processOf('git status'), 'changed'],
  ])('keeps no answer for %s: it holds once, and says so', async (_what, given, action, note) => {
    for (const scope of ['always', 'run'] as const) {
      const { review, store, notes } = setUp({ scope, ...given });
      const decision = await review('h1', action);
      expect(decision).toMatchObject({ kind: 'approved', scope: 'once' });
      expect(decision).not.toHaveProperty('rule');
      expect(notes).toEqual([expect.stringContaining(note)]);
      expect((await store.read()).decisions).toEqual([]);
    }
  });

  it('holds a rule that was given for a run in that run only, and writes nothing down', async () => {
    const { gate, asked, store } = setUp({ scope: 'run', rule });
    const review = (runId: string) =>
      gate.review(requestFor({ action: processOf('git status') }), { ...contextWith(), runId });
    await review('one');
    expect(await review('one')).toMatchObject({ source: 'remembered' });
    expect(asked).toHaveLength(1);
    await review('two');
    expect(asked).toHaveLength(2);
    expect((await store.read()).decisions).toEqual([]);
  });

  it.each(['in-doubt', 'unavailable'] as const)(
    'neither answers nor keeps what is asked because of %s',
    async (kind) => {
      const { review, asked, store } = setUp({ scope: 'always' });
      await review('h1');
      await review('h1', undefined, { reason: { kind, text: 'why' } });
      await review('h9', undefined, { reason: { kind, text: 'why' } });
      expect(asked).toHaveLength(3);
      expect((await store.read()).decisions).toHaveLength(1);
    },
  );

  it('lets an answer settle the questions that wait already', async () => {
    const answers: ((decision: ApprovalDecision) => void)[] = [];
    const withdrawn: string[] = [];
    const next = {
      review: (request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }) =>
        new Promise<ApprovalDecision>((resolve) => {
          signal.addEventListener('abort', () => void withdrawn.push(request.planHash));
          answers.push((decision) =>
            resolve({ ...decision, planHash: request.planHash } as ApprovalDecision),
          );
        }),
    };
    const store = new MemoryRememberedDecisions();
    const gate = new RememberingApprovalGate({ store, next, fits: () => false });
    const ask = (planHash: string, line: string, runId = 'run') =>
      gate.review(requestFor({ planHash, action: processOf(line) }), { ...contextWith(), runId });
    const [first, second] = [ask('h1', 'git status'), ask('h2', 'git status -s')];
    const [other, elsewhere] = [ask('h3', 'git push'), ask('h4', 'git status -b', 'other run')];
    while (answers.length < 4) await Promise.resolve();
    answers[0]?.({ ...yes, scope: 'run', rule } as ApprovalDecision);
    expect(await first).toMatchObject({ source: 'user', scope: 'run' });
    expect(await second).toEqual({ ...yes, planHash: 'h2', source: 'remembered' });
    expect(withdrawn.toSorted()).toEqual(['h1', 'h2']);
    answers[2]?.({ kind: 'denied', reason: 'no' });
    answers[3]?.({ kind: 'denied', reason: 'no' });
    expect(await other).toMatchObject({ kind: 'denied' });
    expect(await elsewhere).toMatchObject({ kind: 'denied' });
  });

  it('knows the rules that were given for a run before this process worked on it', async () => {
    const given: Record<string, RunRule[]> = { mine: [{ tool: requestFor({}).plan.tool, rule }] };
    const asked: string[] = [];
    const gate = new RememberingApprovalGate({
      store: new MemoryRememberedDecisions(),
      next: {
        review: async ({ planHash }) => {
          asked.push(planHash);
          return { kind: 'denied', reason: 'no' };
        },
      },
      fits: () => false,
      rulesOf: async (runId) => given[runId] ?? Promise.reject(new Error('no such run')),
    });
    const ask = (planHash: string, runId: string) =>
      gate.review(requestFor({ planHash, action: processOf('git status') }), { ...contextWith(), runId });
    expect(await ask('h1', 'mine')).toMatchObject({ kind: 'approved', source: 'remembered' });
    expect(await ask('h2', 'another')).toMatchObject({ kind: 'denied' });
    expect(asked).toEqual(['h2']);
  });

  it('keeps nothing of an answer to another question', async () => {
    const { review, store } = setUp({ scope: 'always', planHash: 'foreign' });
    expect(await review('h1')).toMatchObject({ planHash: 'foreign' });
    expect((await store.read()).decisions).toEqual([]);
  });

  it('tells whoever is asked why nothing is remembered', async () => {
    const next = new ScriptedApprovalGate(['deny']);
    const store = Object.assign(new MemoryRememberedDecisions(), {
      read: async () => ({ decisions: [], problem: 'the file is a link' }),
    });
    const gate = new RememberingApprovalGate({ store, next, fits: () => false });
    await gate.review(requestFor(), contextWith());
    expect(next.requests[0]?.reason.text).toContain('(the file is a link)');
  });

  it('lets an answer hold once where it cannot be written down', async () => {
    const notes: string[] = [];
    const store = Object.assign(new MemoryRememberedDecisions(), {
      add: async () => {
        throw new Error('the disk is full');
      },
    });
    const next = {
      review: async ({ planHash }: ApprovalRequest) =>
        ({ ...yes, planHash, scope: 'always' }) as ApprovalDecision,
    };
    const gate = new RememberingApprovalGate({
      store,
      next,
      fits: () => false,
      notify: (text) => void notes.push(text),
    });
    expect(await gate.review(requestFor(), contextWith())).toMatchObject({ kind: 'approved', scope: 'once' });
    expect(notes).toEqual([expect.stringContaining('the disk is full')]);
  });
});

describe('OneAtATimeGate', () => {
  it('looks up what the first answer said before it asks the second', async () => {
    const { gate, asked } = setUp({ scope: 'always', rule: { command: ['git', 'status'] } });
    const queue = new OneAtATimeGate(gate);
    const ask = (planHash: string) =>
      queue.review(requestFor({ planHash, action: processOf('git status') }), contextWith());
    expect(await Promise.all([ask('h1'), ask('h2')])).toMatchObject([
      { source: 'user' },
      { source: 'remembered' },
    ]);
    expect(asked).toHaveLength(1);
  });

  it('goes on after a gate that breaks', async () => {
    const answers = [() => Promise.reject(new Error('broken')), () => approving.review(requestFor())];
    const queue = new OneAtATimeGate({
      review: () => (answers.shift() as () => Promise<ApprovalDecision>)(),
    });
    const [first, second] = [1, 2].map(() => queue.review(requestFor(), contextWith()));
    await expect(first).rejects.toThrow('broken');
    expect(await second).toMatchObject({ kind: 'approved' });
  });
});
