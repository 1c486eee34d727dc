import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';

/** Asks in several places at once. The first answer counts, and the question is withdrawn everywhere else. */
export class FirstAnswerGate implements ApprovalGate {
  constructor(private readonly gates: readonly ApprovalGate[]) {}

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, over.signal]);
    try {
      return await firstAnswer(this.gates.map((gate) => gate.review(request, { ...context, signal })));
    } finally {
      over.abort();
    }
  }
}

/** That nobody could be asked in one place is no answer, as long as somebody can still answer in another. */
function firstAnswer(asked: readonly Promise<ApprovalDecision>[]): Promise<ApprovalDecision> {
  let open = asked.length;
  return new Promise((resolve, reject) => {
    for (const one of asked) {
      one.then((decision) => {
        open -= 1;
        const isAnswer = !(decision.kind === 'denied' && decision.unavailable);
        if (isAnswer || open === 0) resolve(decision);
      }, reject);
    }
  });
}
