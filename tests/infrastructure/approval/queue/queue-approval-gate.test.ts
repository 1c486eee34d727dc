import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../../src/domain/approval.js';
import {
  QueueApprovalGate,
  type QueueEvent,
} from '../../../../src/infrastructure/approval/queue/queue-approval-gate.js';
import { describeApprovalGateContract } from '../../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../../support/fake-terminal.js';

function yes(planHash: string): ApprovalDecision {
  return { kind: 'approved', planHash, scope: 'once', source: 'user' };
}

function ids(queue: QueueApprovalGate): string[] {
  return queue.waiting.map(({ id }) => id);
}

describeApprovalGateContract('QueueApprovalGate', () => {
  const gate = new QueueApprovalGate();
  const answer = async () => {
    const [{ id, request } = { id: '', request: requestFor() }] = gate.waiting;
    expect(gate.answer(id, request.planHash, yes(request.planHash))).toBe('accepted');
  };
  return { gate, answer };
});

describe('QueueApprovalGate', () => {
  it('shows what waits, with its place and no way to end it but an answer', () => {
    const queue = new QueueApprovalGate(() => 7);
    void queue.review(requestFor(), contextWith());
    const { signal: _, ...context } = contextWith();
    expect(queue.waiting).toMatchObject([{ request: requestFor(), context, askedAt: 7 }]);
    expect(queue.waiting[0]?.context).not.toHaveProperty('signal');
  });

  it('takes the first of two answers, and tells the second that it is late', async () => {
    const queue = new QueueApprovalGate();
    const asked = queue.review(requestFor({ planHash: 'a' }), contextWith());
    const [id = ''] = ids(queue);
    const no: ApprovalDecision = { kind: 'denied', reason: 'no' };
    expect([queue.answer(id, 'a', no), queue.answer(id, 'a', yes('a'))]).toEqual(['accepted', 'late']);
    expect(await asked).toEqual(no);
  });

  it('takes no answer for another plan, so none of two with swapped ids', async () => {
    const queue = new QueueApprovalGate();
    const asked = ['a', 'b'].map((planHash) => queue.review(requestFor({ planHash }), contextWith()));
    const [a = '', b = ''] = ids(queue);
    expect(queue.answer(a, 'b', yes('b'))).toBe('other-plan');
    expect(queue.answer(b, 'a', yes('a'))).toBe('other-plan');
    expect(ids(queue)).toEqual([a, b]);
    queue.answer(a, 'a', yes('a'));
    queue.answer(b, 'b', yes('b'));
    expect(await Promise.all(asked)).toEqual([yes('a'), yes('b')]);
  });

  it('tells that a question was withdrawn, and takes no answer to it', async () => {
    const queue = new QueueApprovalGate();
    const stop = new AbortController();
    const asked = queue.review(requestFor(), contextWith(stop.signal));
    const [id = ''] = ids(queue);
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'denied' });
    expect(queue.answer(id, 'hash-1', yes('hash-1'))).toBe('withdrawn');
  });

  it('knows no other ids', () => {
    expect(new QueueApprovalGate().answer('x', 'hash-1', yes('hash-1'))).toBe('unknown-question');
  });

  it('tells listeners of each question and its end, until they leave', async () => {
    const queue = new QueueApprovalGate();
    const events: QueueEvent['type'][] = [];
    const leave = queue.listen(({ type }) => events.push(type));
    const asked = queue.review(requestFor(), contextWith());
    queue.answer(ids(queue)[0] ?? '', 'hash-1', yes('hash-1'));
    await asked;
    leave();
    void queue.review(requestFor(), contextWith());
    expect(events).toEqual(['asked', 'settled']);
  });

  it('forgets the oldest of very many that are over', async () => {
    const queue = new QueueApprovalGate();
    for (let count = 0; count < 1200; count += 1) {
      void queue.review(requestFor(), contextWith());
      queue.answer(ids(queue)[0] ?? '', 'hash-1', yes('hash-1'));
    }
    expect(queue.settled).toHaveLength(1000);
  });
});
