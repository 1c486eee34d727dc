import type { ApprovalDecision } from '../../domain/approval.js';

type Approved = Extract<ApprovalDecision, { kind: 'approved' }>;

/** A yes of the person at the terminal to exactly the plan that was shown. */
export function approved(planHash: string, more: Pick<Approved, 'scope' | 'rule' | 'arguments'>): Approved {
  return { kind: 'approved', planHash, ...more, source: 'user' };
}

export function denied(reason = 'the person at the terminal said no'): ApprovalDecision {
  return { kind: 'denied', reason };
}

export function stopped(): ApprovalDecision {
  return { kind: 'abort', reason: 'the person at the terminal stopped the run' };
}

export function interrupted(): ApprovalDecision {
  return { kind: 'abort', reason: 'interrupted at the terminal', interrupted: true };
}

export function neverSilent(): ApprovalDecision {
  return unavailable('the keyboard never fell silent');
}

export function ended(): ApprovalDecision {
  return unavailable('the terminal was closed');
}

/** Nobody said no: nobody could. */
export function unavailable(why: string): ApprovalDecision {
  return { kind: 'denied', unavailable: true, reason: `nobody could be asked: ${why}` };
}

/** What the terminal says when it was answered. */
export function saidOf(decision: ApprovalDecision): string {
  if (decision.kind === 'approved') return saidOfYes(decision);
  return { denied: 'no', abort: 'no: the run is stopped', pending: 'later' }[decision.kind];
}

function saidOfYes({ scope, rule, arguments: args }: Approved): string {
  if (args) return 'changed';
  const width = rule ? 'whatever fits the rule' : 'exactly this call';
  return { once: 'yes', run: `yes, for this run: ${width}`, always: `yes, always: ${width}` }[scope];
}
