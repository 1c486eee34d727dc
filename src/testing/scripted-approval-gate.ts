import { type ApprovalDecision, type ApprovalRequest, STOPPED_UNANSWERED } from '../domain/approval.js';
import { messageOf } from '../domain/errors.js';
import type { ApprovalGate, ReviewContext } from '../ports/approval-gate.js';

/** A decision, or a word for one. */
export type PlainAnswer = 'approve' | 'deny' | 'abort' | ApprovalDecision;

/** An answer, or a function that makes it; one that throws has said no. */
export type ScriptedAnswer =
  | PlainAnswer
  | ((request: ApprovalRequest, context: ReviewContext) => PlainAnswer | Promise<PlainAnswer>);

/** A gate for tests that gives its answers in order, and says no once they are used up. */
export class ScriptedApprovalGate implements ApprovalGate {
  readonly requests: (ApprovalRequest & { readonly step: string; readonly callId: string })[] = [];

  constructor(private readonly answers: readonly ScriptedAnswer[]) {}

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const answer = this.answers[this.requests.length] ?? NOT_FORESEEN;
    this.requests.push({ ...request, step: context.step, callId: context.callId });
    if (context.signal.aborted) return STOPPED_UNANSWERED;
    try {
      const given = typeof answer === 'function' ? answer(request, context) : answer;
      return toDecision(await Promise.race([given, aborted(context.signal)]), request);
    } catch (error) {
      return { kind: 'denied', reason: `the gate failed: ${messageOf(error)}` };
    }
  }
}

const NOT_FORESEEN: ApprovalDecision = { kind: 'denied', reason: 'no answer was scripted for this question' };
function aborted(signal: AbortSignal): Promise<ApprovalDecision> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(STOPPED_UNANSWERED), { once: true });
  });
}

function toDecision(answer: PlainAnswer, request: ApprovalRequest): ApprovalDecision {
  if (answer === 'approve') {
    return { kind: 'approved', planHash: request.planHash, scope: 'once', source: 'user' };
  }
  if (answer === 'deny') return { kind: 'denied', reason: 'the scripted gate said no' };
  return answer === 'abort' ? { kind: 'abort', reason: 'the scripted gate stopped the run' } : answer;
}
