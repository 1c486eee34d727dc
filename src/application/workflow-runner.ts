import { ToolgateError } from '../domain/errors.js';
import type { RunStatus } from '../domain/journal.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { InputValues, Workflow } from '../domain/workflow.js';
import type { AgentRecordings, Recording, Tape } from '../ports/agent-recordings.js';
import type { RunJournal } from '../ports/run-journal.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { ToolSource } from '../ports/tool-source.js';
import { foldRun, type RunFacts } from './fold-run.js';
import type { RecordedRun, RunRecorder } from './run-recorder.js';
import type { ResumeRequest, RunEvent, RunOutcome, RunRequest, RunStart } from './run-request.js';
import { secretsOf } from './run-secrets.js';
import type { StepRunner } from './step-runner.js';
import { toolsOf } from './tools-of.js';
import { walkSteps } from './walk-steps.js';

interface StartedRun extends Taped {
  readonly request: RunRequest;
}

/** A run's steps, and what its exchanges are recorded on or played from, where that was asked for. */
interface Taped {
  readonly steps: StepRunner;
  readonly tape?: Tape;
}

type Run = AsyncGenerator<RunEvent, RunOutcome, void>;

/** Runs workflows, and continues runs whose process died. Everything it does is recorded as it does it. */
export class WorkflowRunner {
  constructor(
    private readonly steps: StepRunner,
    private readonly tools: ToolSource,
    private readonly recorder: RunRecorder,
    private readonly journal: RunJournal,
    private readonly recordings?: AgentRecordings,
  ) {}

  async *run(given: RunStart, { signal }: { readonly signal: AbortSignal }): Run {
    const request: RunRequest = { ...given, env: given.env ?? {} };
    const { workflow, provider, providerOptions, recording } = request;
    if (workflow.steps.length === 0) {
      throw new ToolgateError(
        'WORKFLOW.VALIDATION.SCHEMA',
        `Workflow "${workflow.name}" has no steps to run`,
      );
    }
    const taped = await this.#taped(request, false);
    await taped.steps.checkProviders(request);
    const startedWith: JsonObject = {
      ...(provider ? { provider } : {}),
      ...(providerOptions ? { providerOptions } : {}),
      ...(recording ? { recording: { ...recording } } : {}),
    };
    const recorded = await this.recorder.start(request, startedWith, signal);
    yield { type: 'run-start', runId: recorded.session.runId, workflow: workflow.name, resumed: false };
    return yield* this.#walk({ request, ...taped }, recorded, signal);
  }

  async *resume(request: ResumeRequest, { signal }: { readonly signal: AbortSignal }): Run {
    const facts = foldRun(await this.journal.read(request.runId));
    const again = requestOf(request, facts);
    const taped = await this.#taped(again, true);
    await taped.steps.checkProviders(again);
    const recorded = await this.recorder.resume(request.runId, again, signal);
    yield { type: 'run-start', runId: request.runId, workflow: again.workflow.name, resumed: true };
    for (const message of recorded.warnings) yield { type: 'run-warning', message };
    return yield* this.#walk({ request: again, ...taped }, recorded, signal);
  }

  async #taped(request: RunRequest, isResumed: boolean): Promise<Taped> {
    const { recording, workflow, inputs, env, workspace } = request;
    if (!recording) return { steps: this.steps };
    if (!this.recordings) {
      throw new ToolgateError('USER.ARGUMENT.INVALID', 'This runner was made without AgentRecordings');
    }
    const secrets = secretsOf(workflow, inputs, env);
    const tape = await this.recordings.open(recording, { secrets, workspace, isResumed });
    return { steps: this.steps.withTape(tape), tape };
  }

  async *#walk({ request, steps, tape }: StartedRun, recorded: RecordedRun, signal: AbortSignal): Run {
    const { session } = recorded;
    // An error is no end: once its cause is gone, the run can be resumed.
    let status: RunStatus = 'cancelled';
    let opened: readonly ToolEntry[] = [];
    try {
      opened = await this.tools.open(toolsOf(request, this.recorder.home), { signal });
      const tools = new Map(opened.map((entry) => [entry.handler.tool.name, entry]));
      const outcome = yield* walkSteps(steps, { request, session, tools, signal });
      status = outcome.status;
      // A run that is only interrupted may still ask for the rest.
      const isOver = status === 'success' || status === 'failure';
      for (const message of (isOver && tape?.warnings?.()) || []) yield { type: 'run-warning', message };
      yield { type: 'run-end', runId: session.runId, status };
      return outcome;
    } finally {
      await this.tools.close?.(opened);
      await end(recorded, status);
    }
  }
}

/** Whatever happens to the last record, the run is let go of. */
async function end({ session, close }: RecordedRun, status: RunStatus): Promise<void> {
  try {
    session.append({ type: 'run-ended', status });
  } finally {
    await close();
  }
}

/** The request that a run began with, from its record. */
function requestOf(resume: ResumeRequest, facts: RunFacts): RunRequest {
  const started = resumable(resume.runId, facts);
  const workflow = workflowOf(resume, started);
  const { provider, providerOptions, recording } = started.options as {
    readonly provider?: string;
    readonly providerOptions?: JsonObject;
    readonly recording?: Recording;
  };
  return {
    workflow,
    inputs: inputsOf(workflow, started.inputs, resume.secretInputs ?? {}),
    workspace: started.workspace,
    env: resume.env ?? {},
    ...(resume.durability ? { durability: resume.durability } : {}),
    ...(provider ? { provider } : {}),
    ...(providerOptions ? { providerOptions } : {}),
    ...(recording ? { recording } : {}),
  };
}

type RunStarted = NonNullable<RunFacts['started']>;

function resumable(runId: string, { started, ended }: RunFacts): RunStarted {
  if (!started) throw new ToolgateError('USER.RUN.NOT_FOUND', `Run "${runId}" never began`);
  if (started.options.serve !== undefined) {
    const message = `Run "${runId}" was a client's session, which ended with it`;
    throw new ToolgateError('USER.RUN.FINISHED', message);
  }
  if (typeof started.options.call === 'string') {
    const message = `Run "${runId}" was a single call of "${started.options.call}"; call it again instead`;
    throw new ToolgateError('USER.RUN.FINISHED', message);
  }
  if (ended === 'success' || ended === 'failure') {
    throw new ToolgateError('USER.RUN.FINISHED', `Run "${runId}" is over (${ended}); start a new one`);
  }
  return started;
}

/** The workflow as it was, unless it changed and whoever resumes says that this is meant. */
function workflowOf({ runId, workflow, acceptChanges }: ResumeRequest, started: RunStarted): Workflow {
  if (!workflow || workflow.hash === started.workflowHash) return started.workflow as unknown as Workflow;
  if (acceptChanges) return workflow;
  const message = `The workflow file has changed since run "${runId}" began; --accept-changes goes on with the file as it is now`;
  throw new ToolgateError('USER.RUN.CHANGED', message);
}

/** Secret inputs are not in the record, so they must be given again. */
function inputsOf(workflow: Workflow, recorded: Json, secrets: InputValues): InputValues {
  const names = workflow.inputs.filter(({ secret }) => secret).map(({ name }) => name);
  const known = recorded as InputValues;
  const missing = names.filter((name) => known[name] !== undefined && secrets[name] === undefined);
  if (missing.length > 0) {
    const message = `Secret inputs are not kept, so give them again: ${missing.map((name) => `-i ${name}=…`).join(' ')}`;
    throw new ToolgateError('USER.INPUT.MISSING', message);
  }
  return {
    ...known,
    ...Object.fromEntries(names.flatMap((name) => (name in secrets ? [[name, secrets[name]]] : []))),
  } as InputValues;
}
