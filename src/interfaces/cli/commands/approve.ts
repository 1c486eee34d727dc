import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { foldRun, type WaitingReview } from '../../../application/fold-run.js';
import { createContainer } from '../../../container.js';
import type { ApprovalDecision } from '../../../domain/approval.js';
import type { JsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { ApprovalInbox } from '../../../ports/approval-inbox.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import { type AnswerFlags, addAnswerFlags, answerFromFlags } from '../approvals/answer-flags.js';
import { askHere, nameOne } from '../approvals/ask-here.js';
import { assertKnowsSecrets, decide } from '../approvals/decide.js';
import { type Delivery, leaveAnswer } from '../approvals/leave-answer.js';
import { openQuestions, questionAbout, type RunRecords } from '../approvals/open-questions.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { EXIT } from '../exit-code.js';
import { findRun } from '../find-run.js';
import {
  addExamples,
  addLatestOf,
  addOutputFormat,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { compactJson, prettyJson } from '../output/json-text.js';
import { resumeRun } from './resume.js';

interface ApproveOptions extends OutputOptions, AnswerFlags, WorkspaceOptions {
  readonly resume?: true;
  readonly show?: true;
}

export function defineApprove(command: Command, { io, exit }: CommandHost): void {
  addAnswerFlags(command);
  command
    .option('--show', 'only print what waits, with its plan, as JSON')
    .option('--resume', 'then go on with the run here, if no process works on it');
  addLatestOf(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(
    command,
    'toolgate approve latest',
    'toolgate approve 20261116-093512-4f9a1c call_004 --yes --plan 3f2a9c1b0d127e55',
    'toolgate approve 20261116 call_004 --deny --reason "the page is not ready"',
  );
  command.action(async (run: string, call: string | undefined, options: ApproveOptions) =>
    exit(await approve({ run, call, options }, io)),
  );
}

interface Approve {
  readonly run: string;
  readonly call: string | undefined;
  readonly options: ApproveOptions;
}

async function approve({ run, call, options }: Approve, io: CliIo): Promise<number> {
  const container = await createContainer({ journal: 'file' });
  const records: RunRecords = {
    journal: container.get<RunJournal>(TOKENS.RunJournal),
    inbox: container.get<ApprovalInbox>(TOKENS.ApprovalInbox),
  };
  const answer = answerFromFlags(options);
  const runId = await findRun(records.journal, { named: run, io, workspace: options.workspace });
  const open = await openQuestions(records, runId);
  const asked = call === undefined ? open : [questionAbout(open, call)];
  if (options.show) return show(asked, io);
  // With flags an answer is for one call, and which one must not be a matter of chance.
  if (answer && asked.length > 1) throw nameOne(open);
  const signal = io.interruption();
  const agent = agentOf(foldRun(await records.journal.read(runId)));
  let delivery: Delivery = 'kept';
  for (const question of asked) {
    const decision = answer
      ? decide(answer, question, { ...options, by: userName() })
      : await askHere(question, { runId, agent, signal });
    if (!decision) return EXIT.interrupted;
    delivery = await settle(records, runId, { question, decision: signed(decision) });
    tell({ question, decision, delivery }, { io, options, runId });
  }
  if (delivery !== 'kept' || !options.resume) return EXIT.success;
  // Others may still wait, and that nobody is here to be asked is no answer to them.
  const { outputFormat } = options;
  return resumeRun(runId, { outputFormat, durability: 'crash', approvals: 'later' }, io);
}

/** The plan as the record has it: what a yes would be for. */
function show(asked: readonly WaitingReview[], io: CliIo): number {
  const waiting = asked.map(({ callId, effectId, planHash, reason, plan }) => ({
    call_id: callId,
    place: effectId,
    plan_hash: planHash,
    reason: { ...reason },
    plan: plan as unknown as JsonObject,
  }));
  io.out(prettyJson({ waiting }));
  return EXIT.success;
}

async function settle(
  records: RunRecords,
  runId: string,
  answered: { readonly question: WaitingReview; readonly decision: ApprovalDecision },
): Promise<Delivery> {
  assertKnowsSecrets(answered.decision);
  // Looked at again: somebody may have taken their time on the terminal.
  questionAbout(await openQuestions(records, runId), answered.question.effectId);
  return leaveAnswer(records, runId, answered);
}

/** The provider that the run was started with, or that its steps name. */
function agentOf({ started }: ReturnType<typeof foldRun>): string {
  const { provider } = started?.options ?? {};
  return typeof provider === 'string' ? provider : 'the agent';
}

function signed(decision: ApprovalDecision): ApprovalDecision {
  return decision.kind === 'pending' ? decision : { ...decision, by: userName() };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'somebody without a name';
  }
}

const SAID: Readonly<Record<ApprovalDecision['kind'], string>> = {
  approved: 'allowed',
  denied: 'denied',
  abort: 'denied, and the run is to stop',
  pending: 'left open',
};

interface Told {
  readonly question: WaitingReview;
  readonly decision: ApprovalDecision;
  readonly delivery: Delivery;
}

function tell(
  { question, decision, delivery }: Told,
  { io, options, runId }: { readonly io: CliIo; readonly options: ApproveOptions; readonly runId: string },
): void {
  if (options.outputFormat === 'json') {
    const { callId, planHash } = question;
    io.out(
      compactJson({ run_id: runId, call_id: callId, plan_hash: planHash, answer: decision.kind, delivery }),
    );
  }
  const next: Readonly<Record<Delivery, string>> = {
    taken: '',
    'handed-over': '; the run takes it when it comes to this question',
    kept: options.resume ? '' : `; the run goes on with: toolgate resume ${runId}`,
  };
  io.err(`${toVisible(question.callId)}: ${SAID[decision.kind]}${next[delivery]}\n`);
}
