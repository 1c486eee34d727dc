import { access } from 'node:fs/promises';
import { foldRun } from '../../application/fold-run.js';
import { loadWorkflow, resolveInputs } from '../../container.js';
import { ToolgateError } from '../../domain/errors.js';
import type { InputValues, Workflow } from '../../domain/workflow.js';
import type { RunJournal } from '../../ports/run-journal.js';

/** A run as its record has it, and what has become of its file. */
export interface RecordedRun {
  readonly started: { readonly workflow: Workflow; readonly workspace: string };
  /** Whether it waits for answers rather than having been interrupted. */
  readonly isSuspended: boolean;
  /** The workflow file as it is now; absent when it is gone. */
  readonly current?: Workflow;
  readonly secretInputs: InputValues;
  /** Those of the record, with the secrets that were given again. */
  readonly inputs: InputValues;
}

/** Reads what a run began with. Only secret inputs may be given: the others are what they were. */
export async function recordedRun(
  journal: RunJournal,
  runId: string,
  given: Readonly<Record<string, string>>,
): Promise<RecordedRun> {
  const { started, ended } = foldRun(await journal.read(runId));
  if (!started) throw new ToolgateError('USER.RUN.NOT_FOUND', `Run "${runId}" never began`);
  // A single call has steps in its file, but none of them ever ran: going on would begin the whole workflow.
  if (started.options.call !== undefined) {
    const message = `Run "${runId}" was a single call of ${String(started.options.call)}: call it again instead`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  if (started.options.serve !== undefined) {
    const message = `Run "${runId}" was a client's session, which ended with it: let the client connect again`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  const workflow = started.workflow as unknown as Workflow;
  const secretInputs = await secretValues(workflow, given, started.workspace);
  const current = await currentFile(workflow.file);
  return {
    started: { workflow, workspace: started.workspace },
    isSuspended: ended === 'suspended',
    ...(current ? { current } : {}),
    secretInputs,
    inputs: { ...(started.inputs as InputValues), ...secretInputs },
  };
}

async function currentFile(file: string | undefined): Promise<Workflow | undefined> {
  if (file === undefined) return undefined;
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere ? { ...(await loadWorkflow(file, { handlers: [] })), file } : undefined;
}

/** Checked and typed as they were when the run began, by the same rules. */
async function secretValues(
  workflow: Workflow,
  given: Readonly<Record<string, string>>,
  workspace: string,
): Promise<InputValues> {
  const inputs = Object.keys(given).map((name) => {
    const input = workflow.inputs.find((one) => one.name === name);
    if (input?.secret) return input;
    const message = `-i ${name}: a resumed run keeps its inputs; only secret ones are given again`;
    throw new ToolgateError(input ? 'USER.INPUT.INVALID' : 'USER.INPUT.UNKNOWN', message);
  });
  return resolveInputs({ ...workflow, inputs }, given, { workspace });
}
