import { describe, expect, it } from '@jest/globals';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import { contextWith, requestFor } from '../support/fake-terminal.js';

export interface GateUnderTest {
  readonly gate: ApprovalGate;
  /** Has the next question answered with yes, once this many were put. */
  readonly answer: (count: number) => Promise<void>;
}

/** What every gate promises, whoever answers for it. */
export function describeApprovalGateContract(name: string, make: () => GateUnderTest): void {
  describe(`${name} as an ApprovalGate`, () => {
    it('approves exactly the plan it was shown', async () => {
      const { gate, answer } = make();
      const decision = gate.review(requestFor({ planHash: 'this one' }), contextWith());
      await answer(1);
      expect(await decision).toMatchObject({ kind: 'approved', planHash: 'this one', scope: 'once' });
      expect(await decision).not.toHaveProperty('arguments');
    });

    it('answers each of several questions that are put at once, with its own hash', async () => {
      const { gate, answer } = make();
      const hashes = ['one', 'two', 'three'];
      const decisions = hashes.map((planHash) => gate.review(requestFor({ planHash }), contextWith()));
      for (const count of [1, 2, 3]) await answer(count);
      expect(await Promise.all(decisions)).toMatchObject(hashes.map((planHash) => ({ planHash })));
    });

    it('says no to a question of a run that was stopped before', async () => {
      const { gate } = make();
      expect(await gate.review(requestFor(), contextWith(AbortSignal.abort()))).toMatchObject({
        kind: 'denied',
      });
    });

    it('does not outlive the signal of a question that nobody answers', async () => {
      const { gate } = make();
      const stop = new AbortController();
      const reason = { kind: 'in-doubt', text: 'it died' } as const;
      const decisions = [1, 2].map(() => gate.review(requestFor({ reason }), contextWith(stop.signal)));
      stop.abort();
      for (const decision of await Promise.all(decisions)) expect(decision.kind).not.toBe('approved');
    });
  });
}
