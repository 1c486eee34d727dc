import type { ApprovalRequest, ReviewReason } from '../../domain/approval.js';
import type { Json } from '../../domain/json.js';
import type { ReviewContext } from '../../ports/approval-gate.js';
import { actionSections } from './preview-action.js';

/**
 * All that a person needs to decide, as plain data. Nothing in it is escaped: whoever shows it makes every text
 * visible first (`previewLines` and `visibleLine` do), and never takes any of it for markup.
 */
export interface ApprovalPreview {
  /** In our own words; only the tool's name in it is not. */
  readonly question: string;
  readonly tool: string;
  readonly planHash: string;
  readonly agent: string;
  readonly step: string;
  readonly callId: string;
  /** Why a person is asked at all. */
  readonly reason: ReviewReason;
  /** When the time to answer is over, in milliseconds since 1970. */
  readonly deadline?: number;
  /** What the call comes to, as planned, and then what else the agent wrote. */
  readonly sections: readonly PreviewSection[];
}

export type PreviewSection = { readonly label: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** Each item is one line: a line feed in it is spelled out. */
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'argv'; readonly items: readonly string[] }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'diff'; readonly hunks: readonly DiffHunk[] }
);

export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

/** One line without its line feed; a carriage return before that is part of it. */
export interface DiffLine {
  readonly change: 'same' | 'added' | 'removed';
  readonly text: string;
  /** The file ends here without a line feed. */
  readonly isUnended?: boolean;
}

/** Where a question comes from; a `ReviewContext` says it. */
export type QuestionPlace = Pick<ReviewContext, 'agent' | 'step' | 'callId' | 'deadline'>;

/** Looks at the machine as it is now: a change to a file is shown against what the file holds when this is asked. */
export async function previewOf(request: ApprovalRequest, place: QuestionPlace): Promise<ApprovalPreview> {
  const { plan, planHash, reason } = request;
  const { agent, step, callId, deadline } = place;
  return {
    question: questionOf(request),
    tool: plan.tool,
    planHash,
    agent,
    step,
    callId,
    reason,
    ...(deadline === undefined ? {} : { deadline }),
    sections: await actionSections(plan),
  };
}

function questionOf({ plan, reason }: ApprovalRequest): string {
  const tool = `"${plan.tool.slice(0, 64)}"`;
  switch (reason.kind) {
    case 'policy':
      return `May the agent use ${tool}?`;
    case 'in-doubt':
      return `It is not known whether this call of ${tool} took effect. Run it again?`;
    case 'unavailable':
      return `May the agent use ${tool} although the kernel does not confine it here?`;
    default:
      throw reason satisfies never;
  }
}
