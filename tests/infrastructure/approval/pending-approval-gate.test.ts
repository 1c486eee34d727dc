import { describe, expect, it } from '@jest/globals';
import { PendingApprovalGate } from '../../../src/infrastructure/approval/pending-approval-gate.js';
import { ScriptedApprovalGate } from '../../../src/testing/scripted-approval-gate.js';
import { contextWith, requestFor } from '../../support/fake-terminal.js';

describe('PendingApprovalGate', () => {
  it('leaves every question open', async () => {
    expect(await new PendingApprovalGate().review(requestFor(), contextWith())).toEqual({ kind: 'pending' });
  });

  it('gives the answer of whoever could be asked first', async () => {
    const gate = new PendingApprovalGate(new ScriptedApprovalGate(['approve']));
    expect(await gate.review(requestFor(), contextWith())).toMatchObject({ kind: 'approved' });
  });

  it('leaves open what nobody could be asked', async () => {
    const nobody = { kind: 'denied', unavailable: true, reason: 'no terminal' } as const;
    const gate = new PendingApprovalGate({ review: async () => nobody });
    expect(await gate.review(requestFor(), contextWith())).toEqual({ kind: 'pending' });
  });

  it('leaves nothing open for a run that was stopped', async () => {
    const gate = new PendingApprovalGate();
    expect(await gate.review(requestFor(), contextWith(AbortSignal.abort()))).toMatchObject({
      kind: 'denied',
    });
  });
});
