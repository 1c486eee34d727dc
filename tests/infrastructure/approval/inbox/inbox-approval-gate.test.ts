import { describe, expect, it } from '@jest/globals';
import type { ApprovalDecision } from '../../../../src/domain/approval.js';
import { InboxApprovalGate } from '../../../../src/infrastructure/approval/inbox/inbox-approval-gate.js';
import { QueueApprovalGate } from '../../../../src/infrastructure/approval/queue/queue-approval-gate.js';
import { ScriptedApprovalGate } from '../../../../src/testing/scripted-approval-gate.js';
import { describeApprovalGateContract } from '../../../contracts/approval-gate.contract.js';
import { contextWith, requestFor } from '../../../support/fake-terminal.js';
import { InboxFixture } from '../../../support/inbox-fixture.js';

const NO: ApprovalDecision = { kind: 'denied', reason: 'not today', by: 'anna' };

describeApprovalGateContract('InboxApprovalGate', () => {
  const run = new InboxFixture();
  const next = new QueueApprovalGate();
  return {
    gate: new InboxApprovalGate(run.open(), next),
    answer: async () => {
      const planHash = await firstHash(next);
      const yes: ApprovalDecision = { kind: 'approved', planHash, scope: 'once', source: 'user' };
      await run.open().leave({ ...run.question, planHash }, yes);
      while (next.waiting.some(({ request }) => request.planHash === planHash)) await turn();
    },
  };
});

/** The hash of a question that the next gate was asked as well. */
async function firstHash(queue: QueueApprovalGate): Promise<string> {
  while (queue.waiting.length === 0) await turn();
  return queue.waiting[0]?.request.planHash ?? '';
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

describe('InboxApprovalGate', () => {
  it('asks nobody where an answer was left', async () => {
    const run = new InboxFixture();
    const next = new ScriptedApprovalGate([]);
    await run.open().leave(run.question, NO);
    expect(await new InboxApprovalGate(run.open(), next).review(requestFor(), contextWith())).toEqual(NO);
    expect(next.requests).toEqual([]);
  });

  it('withdraws the question from the next gate once an answer is left', async () => {
    const run = new InboxFixture();
    const queue = new QueueApprovalGate();
    const asked = new InboxApprovalGate(run.open(), queue).review(requestFor(), contextWith());
    await firstHash(queue);
    await run.open().leave(run.question, NO);
    expect(await asked).toEqual(NO);
    expect(queue.waiting).toEqual([]);
    expect(queue.settled).toMatchObject([{ decision: undefined }]);
  });

  it('takes the answer of the next gate, if that comes first', async () => {
    const run = new InboxFixture();
    const gate = new InboxApprovalGate(run.open(), new ScriptedApprovalGate(['approve']));
    expect(await gate.review(requestFor(), contextWith())).toMatchObject({ kind: 'approved' });
  });
});
