import type { Container } from 'inversify';
import { foldRun } from '../../application/fold-run.js';
import type { RunEvent, RunOutcome } from '../../application/run-request.js';
import type { ApprovalGate } from '../../ports/approval-gate.js';
import type { RunJournal } from '../../ports/run-journal.js';
import { TOKENS } from '../../ports/tokens.js';
import type { UserInput } from '../../ports/user-input.js';
import { suspendedText } from './approvals/waiting-text.js';
import type { CliIo } from './cli-io.js';
import { exitCodeOfRun } from './exit-code.js';
import type { RunReporter } from './output/run-reporter.js';

export interface DriveOptions {
  /** Known before the run starts. */
  readonly warnings?: readonly string[];
  /** Tells what a run that was suspended waits for. */
  readonly onSuspended?: (runId: string) => Promise<void>;
}

/** Shows a run to its end and gives the exit code. */
export async function driveRun(
  run: AsyncGenerator<RunEvent, RunOutcome, void>,
  reporter: RunReporter,
  { warnings = [], onSuspended }: DriveOptions = {},
): Promise<number> {
  try {
    let next = await run.next();
    // After the first event, which only says that the run is there, and before anything has been done.
    if (!next.done) reporter.event(next.value);
    for (const message of warnings) reporter.event({ type: 'run-warning', message });
    if (!next.done) next = await run.next();
    for (; !next.done; next = await run.next()) reporter.event(next.value);
    await reporter.outcome(next.value);
    if (next.value.status === 'suspended') await onSuspended?.(next.value.runId);
    return exitCodeOfRun(next.value);
  } finally {
    reporter.close();
  }
}

/** Says on stderr what a suspended run waits for, and how to answer. */
export function tellWaiting(container: Container, io: Pick<CliIo, 'err'>): (runId: string) => Promise<void> {
  return async (runId) => {
    const records = await container.get<RunJournal>(TOKENS.RunJournal).read(runId);
    io.err(suspendedText(runId, foldRun(records).waiting));
  };
}

/** Lets what is already on its way be shown before a question is, and nothing move while it is there. */
export function pauseForQuestions(container: Container, pause: () => void): void {
  const shown = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    pause();
  };
  const gate = container.get<ApprovalGate>(TOKENS.ApprovalGate);
  container.rebind<ApprovalGate>(TOKENS.ApprovalGate).toConstantValue({
    review: async (request, context) => {
      await shown();
      return gate.review(request, context);
    },
  });
  const input = container.get<UserInput>(TOKENS.UserInput);
  container.rebind<UserInput>(TOKENS.UserInput).toConstantValue({
    read: async (request, context) => {
      await shown();
      return input.read(request, context);
    },
  });
}
