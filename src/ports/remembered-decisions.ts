import type { RuleCondition } from '../domain/approval.js';

/**
 * What people said "always" to, for one workspace, where no tool can write it. What cannot be trusted grants nothing:
 * `read` then says why, and `add` refuses. Of several writers at once none is lost.
 */
export interface RememberedDecisions {
  read(): Promise<RememberedRead>;
  add(decision: NewDecision): Promise<RememberedDecision>;
  /** False if there is none of this id. */
  revoke(id: string): Promise<boolean>;
}

export interface RememberedRead {
  readonly decisions: readonly RememberedDecision[];
  /** Why there are none that count. */
  readonly problem?: string;
}

/** How wide a decision is: exactly one planned call, or every call of the tool that a rule speaks for. */
type Width = { readonly planHash: string } | { readonly rule: RuleCondition };

export type NewDecision = Width & {
  readonly tool: string;
  /** Who decided, where that is known. */
  readonly by?: string;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** What it is about, for people. */
  readonly note: string;
};

export type RememberedDecision = NewDecision & { readonly id: string };
