import { foldRun, type WaitingReview } from '../../application/fold-run.js';
import type { ApprovalDecision } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import type { RunStatus } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
import type { ApprovalInbox } from '../../ports/approval-inbox.js';
import type { RunRecords } from './approvals/open-questions.js';

/** What a run waits for; it has an answer if one was left that the run has not taken yet. */
export interface WaitingQuestion extends WaitingReview {
  readonly answer?: ApprovalDecision['kind'];
}

/** A run in one line of a list; one whose journal cannot be read is in the list too. */
export type RunSummary =
  | {
      readonly runId: string;
      /** `crashed`: it has no end, and no process is working on it; it can be resumed. */
      readonly status: RunStatus | 'running' | 'crashed';
      readonly workflow: string;
      readonly workspace: string;
      readonly startedAt: number;
      readonly step: string | undefined;
      readonly calls: number;
      readonly waiting: readonly WaitingQuestion[];
      readonly inDoubt: readonly string[];
    }
  | { readonly runId: string; readonly status: 'broken'; readonly problem: string };

/** What a program leaves that runs the loop without a run around it. */
const LOOP_ONLY = 'a loop without a run (ToolOrchestrator on its own): no trail, cannot be resumed';

export async function summariseRun({ journal, inbox }: RunRecords, runId: string): Promise<RunSummary> {
  try {
    const records = await journal.read(runId);
    const { started, ended, currentStep, calls, waiting, inDoubt } = foldRun(records);
    if (!started)
      return { runId, status: 'broken', problem: records.length > 0 ? LOOP_ONLY : 'it never began' };
    return {
      runId,
      status: ended ?? ((await journal.inspect(runId)).isHeld ? 'running' : 'crashed'),
      workflow: String(started.workflow.name),
      workspace: started.workspace,
      startedAt: started.at,
      step: currentStep ?? singleCall(started.options),
      calls,
      waiting: await Promise.all(waiting.map((question) => withAnswer(question, runId, inbox))),
      inDoubt,
    };
  } catch (error) {
    return { runId, status: 'broken', problem: messageOf(error) };
  }
}

async function withAnswer(
  question: WaitingReview,
  runId: string,
  inbox: ApprovalInbox,
): Promise<WaitingQuestion> {
  const left = await inbox.find({ runId, ...question });
  return left ? { ...question, answer: left.kind } : question;
}

/** A run of `toolgate call` has no steps; what it called says more than nothing. */
function singleCall({ call }: JsonObject): string | undefined {
  return typeof call === 'string' ? `call ${call}` : undefined;
}

export function summaryToJson(run: RunSummary): JsonObject {
  if (run.status === 'broken') return { run_id: run.runId, status: run.status, problem: run.problem };
  return {
    run_id: run.runId,
    status: run.status,
    workflow: run.workflow,
    workspace: run.workspace,
    started_at: new Date(run.startedAt).toISOString(),
    ...(run.step === undefined ? {} : { step: run.step }),
    calls: run.calls,
    waiting: run.waiting.map(({ callId, effectId, plan, planHash, reason, answer }) => ({
      call_id: callId,
      place: effectId,
      tool: plan.tool,
      plan_hash: planHash,
      ...(answer ? { answer } : {}),
      reason: { ...reason },
    })),
    in_doubt: [...run.inDoubt],
  };
}
