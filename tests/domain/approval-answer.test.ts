import { describe, expect, it } from '@jest/globals';
import { answersTo, decisionOf } from '../../src/domain/approval-answer.js';
import type { CallPlan } from '../../src/domain/plan.js';

const SHOWN = { planHash: 'hash', by: 'anna' };
const RULE = { command: ['git', 'status'] };

describe('decisionOf', () => {
  it.each(['once', 'run', 'always'] as const)('makes a yes for the plan that was shown of %s', (answer) => {
    const approved = { kind: 'approved', planHash: 'hash', scope: answer, source: 'user', by: 'anna' };
    expect(decisionOf({ answer }, SHOWN)).toEqual(approved);
    expect(decisionOf({ answer, rule: RULE }, SHOWN)).toEqual({ ...approved, rule: RULE });
  });

  it('makes a yes for this once of other arguments', () => {
    expect(decisionOf({ answer: 'edit', arguments: { path: 'a' } }, { planHash: 'hash' })).toEqual({
      ...{ kind: 'approved', planHash: 'hash', scope: 'once', source: 'user' },
      arguments: { path: 'a' },
    });
  });

  it.each([
    ['deny', 'denied'],
    ['abort', 'abort'],
  ] as const)('gives the reason of %s to the agent, and one if there is none', (answer, kind) => {
    expect(decisionOf({ answer, reason: 'not today' }, SHOWN)).toEqual({
      kind,
      reason: 'not today',
      by: 'anna',
    });
    expect(decisionOf({ answer }, { planHash: 'hash' })).toEqual({ kind, reason: expect.any(String) });
  });
});

describe('answersTo', () => {
  const plan: CallPlan = { tool: 'publish', arguments: {}, action: { kind: 'handler' } };

  it('has all answers for a prompt of policy', () => {
    expect(answersTo({ reason: { kind: 'policy', text: '' }, plan })).toHaveLength(6);
  });

  it.each(['in-doubt', 'unavailable'] as const)(
    'has nothing that lasts, and no change, if it is %s',
    (kind) => {
      expect(answersTo({ reason: { kind, text: '' }, plan })).toEqual(['once', 'deny', 'abort']);
    },
  );

  it('has nothing that lasts for a command whose meaning stands in files', () => {
    const action = { kind: 'process', argv: ['/usr/bin/make', 'all'], cwd: '/' } as const;
    const answers = answersTo({ reason: { kind: 'policy', text: '' }, plan: { ...plan, action } });
    expect(answers).toEqual(['once', 'edit', 'deny', 'abort']);
  });
});
