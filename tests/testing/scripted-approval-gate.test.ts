import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../src/domain/approval.js';
import { type ScriptedAnswer, ScriptedApprovalGate } from '../../src/testing/scripted-approval-gate.js';
import { describeApprovalGateContract } from '../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../support/fake-terminal.js';

const yesToPolicy: ScriptedAnswer = ({ reason }) =>
  reason.kind === 'policy' ? 'approve' : new Promise<never>(() => {});

describeApprovalGateContract('ScriptedApprovalGate', () => ({
  gate: new ScriptedApprovalGate([yesToPolicy, yesToPolicy, yesToPolicy]),
  answer: async () => {},
}));

describe('ScriptedApprovalGate', () => {
  it('gives its answers in order, remembers the questions, and then says no', async () => {
    const edited: ApprovalDecision = {
      kind: 'approved',
      planHash: 'other',
      scope: 'run',
      source: 'rule',
      arguments: { a: 1 },
    };
    const gate = new ScriptedApprovalGate([
      'approve',
      'deny',
      'abort',
      edited,
      async () => 'approve' as const,
    ]);
    const kinds: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      kinds.push((await gate.review(requestFor({ tool: `tool_${count}` }), contextWith())).kind);
    }
    expect(kinds).toEqual(['approved', 'denied', 'abort', 'approved', 'approved', 'denied']);
    expect(gate.requests.map(({ plan, step, callId }) => [plan.tool, step, callId])[5]).toEqual([
      'tool_5',
      'fix',
      'call_001',
    ]);
  });

  it('does not outlive the signal of an answer that never comes', async () => {
    const gate = new ScriptedApprovalGate([() => new Promise<never>(() => {})]);
    const stop = new AbortController();
    const decision = gate.review(requestFor(), contextWith(stop.signal));
    stop.abort();
    expect(await decision).toMatchObject({ kind: 'denied' });
  });
});
