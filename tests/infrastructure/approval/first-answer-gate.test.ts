import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../src/domain/approval.js';
import { FirstAnswerGate } from '../../../src/infrastructure/approval/first-answer-gate.js';
import { QueueApprovalGate } from '../../../src/infrastructure/approval/queue/queue-approval-gate.js';
import type { ApprovalGate } from '../../../src/ports/approval-gate.js';
import { describeApprovalGateContract } from '../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

const NOBODY: ApprovalDecision = { kind: 'denied', unavailable: true, reason: 'no terminal' };
const NO: ApprovalDecision = { kind: 'denied', reason: 'no' };

function answering(decision: ApprovalDecision): ApprovalGate {
  return { review: async () => decision };
}

describeApprovalGateContract('FirstAnswerGate', () => {
  const queue = new QueueApprovalGate();
  return { gate: new FirstAnswerGate([answering(NOBODY), queue]), answer: async () => allowFirst(queue) };
});

function allowFirst(queue: QueueApprovalGate): void {
  const [question] = queue.waiting;
  const { planHash = '' } = question?.request ?? {};
  queue.answer(question?.id ?? '', planHash, { kind: 'approved', planHash, scope: 'once', source: 'user' });
}

describe('FirstAnswerGate', () => {
  it('takes the first answer, and withdraws the question everywhere else', async () => {
    const [left, right] = [new QueueApprovalGate(), new QueueApprovalGate()];
    const asked = new FirstAnswerGate([left, right]).review(requestFor(), contextWith());
    expect([left.waiting.length, right.waiting.length]).toEqual([1, 1]);
    allowFirst(right);
    expect(await asked).toMatchObject({ kind: 'approved' });
    expect(left.waiting).toEqual([]);
  });

  it('says that nobody could be asked only if that holds everywhere', async () => {
    const ask = (...gates: ApprovalGate[]) => new FirstAnswerGate(gates).review(requestFor(), contextWith());
    expect(await ask(answering(NOBODY), answering(NO))).toEqual(NO);
    expect(await ask(answering(NOBODY), answering(NOBODY))).toEqual(NOBODY);
  });

  it('fails when one of them breaks, so that nothing is taken for a yes', async () => {
    const broken: ApprovalGate = { review: () => Promise.reject(new Error('broken')) };
    const gate = new FirstAnswerGate([broken, new QueueApprovalGate()]);
    await expect(gate.review(requestFor(), contextWith())).rejects.toThrow('broken');
  });
});
