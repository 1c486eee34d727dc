import type { Container } from 'inversify';
import type { RunEvent, RunOutcome } from '../../application/run-request.js';
import type { ApprovalGate } from '../../ports/approval-gate.js';
import { TOKENS } from '../../ports/tokens.js';
import type { UserInput } from '../../ports/user-input.js';
import { exitCodeOfRun } from './exit-code.js';
import type { RunReporter } from './output/run-reporter.js';

/** Shows a run to its end and gives the exit code. Warnings are known before it starts. */
export async function driveRun(
  run: AsyncGenerator<RunEvent, RunOutcome, void>,
  reporter: RunReporter,
  warnings: readonly string[] = [],
): Promise<number> {
  try {
    let next = await run.next();
    // After the first event, which only says that the run is there, and before anything has been done.
    if (!next.done) reporter.event(next.value);
    for (const message of warnings) reporter.event({ type: 'run-warning', message });
    if (!next.done) next = await run.next();
    for (; !next.done; next = await run.next()) reporter.event(next.value);
    await reporter.outcome(next.value);
    return exitCodeOfRun(next.value);
  } finally {
    reporter.close();
  }
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
