import { describe, expect, it } from '@jest/globals';
import { checkDecision } from '../../src/application/check-decision.js';
import type { ApprovalDecision } from '../../src/domain/approval.js';
import { agentOf, runStep, toolOf } from '../support/loop-fixture.js';

const YES = { kind: 'approved', planHash: 'h', scope: 'once', source: 'user' } as const;

const ANSWERS: readonly unknown[] = [
  ...[true, 1, 'yes', 'approved', null, undefined, [], {}, { approved: true }, { kind: 'yes' }],
  ...[{ kind: 'approved' }, { ...YES, planHash: 7 }, { ...YES, scope: 'ever' }, { ...YES, source: 'auto' }],
  ...[
    { ...YES, arguments: 'ls' },
    { ...YES, arguments: [] },
    { kind: 'denied' },
    { kind: 'abort', reason: 1 },
  ],
];

/** Whoever walked this would run out of stack. */
const DEEP = { a: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) };

describe('checkDecision', () => {
  it('takes what is nested too deep to be walked for a no', () => {
    expect(checkDecision({ ...YES, arguments: DEEP })).toMatchObject({ kind: 'denied' });
    expect(checkDecision({ ...YES, scope: 'run', rule: DEEP })).toMatchObject({ kind: 'denied' });
  });

  it.each(ANSWERS)('takes %j for a no', (answer) => {
    expect(checkDecision(answer)).toMatchObject({ kind: 'denied' });
  });

  it.each([
    ['yes', 'it is no object'],
    [{ kind: 'yes' }, 'its `kind` is none of approved, denied, abort, pending'],
    [{ ...YES, by: 7 }, 'its `by` is not text'],
    [{ ...YES, planHash: undefined }, 'its `planHash` is not that of the request'],
    [{ ...YES, scope: 'ever' }, 'its `scope` is none of once, run, always'],
    [{ ...YES, source: undefined }, 'its `source` is none of user, rule, remembered, flag'],
    [{ ...YES, arguments: [] }, 'its `arguments` are no object, or nested too deep'],
    [{ ...YES, rule: {} }, 'its `rule` is no object, empty, or nested too deep'],
    [{ kind: 'denied' }, 'its `reason` is not text'],
  ])('says what is wrong with %j', (answer, problem) => {
    const reason = `whoever was asked gave an answer that is none: ${problem}`;
    expect(checkDecision(answer)).toEqual({ kind: 'denied', reason });
  });

  it.each<ApprovalDecision>([
    YES,
    { ...YES, arguments: { command: 'ls' } },
    { kind: 'denied', reason: 'no' },
    { kind: 'abort', reason: 'stop', interrupted: true },
    { kind: 'pending' },
  ])('leaves %j as it is', (answer) => {
    expect(checkDecision(answer)).toBe(answer);
  });

  it.each(ANSWERS)('keeps a step going whose gate answers %j', async (answer) => {
    const gate = { review: async () => answer as ApprovalDecision };
    const agent = agentOf([['t', {}]], 'done');
    const { state } = await runStep(
      { agent, tools: [toolOf('t', undefined, { approval: 'prompt' })] },
      { gate },
    );
    expect(state.toolCalls[0]?.result.error?.code).toBe('EXECUTION.APPROVAL.DENIED');
    expect(state.stoppedBy).toBe('completed');
  });
});
