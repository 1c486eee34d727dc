import { ToolgateError } from '../domain/errors.js';
import type { RunStatus } from '../domain/journal.js';
import type { StepState } from '../domain/step-state.js';
import { renderTemplate, TemplateError } from '../domain/template.js';
import type { AgentStep, StepTarget } from '../domain/workflow.js';
import type { JournalSession } from '../ports/run-journal.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { History } from './history.js';
import type { RunEvent, RunOutcome, RunRequest } from './run-request.js';
import { SharedBudget } from './shared-budget.js';
import type { StepContext, StepRunner } from './step-runner.js';
import { templateScope } from './template-scope.js';

/** What every step of a run shares. */
export interface WalkContext {
  readonly request: RunRequest;
  readonly session: JournalSession;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly signal: AbortSignal;
}

/** A workflow's states may lead back to earlier ones; this many visits in all are taken for a run that never ends. */
const MAX_VISITS = 100;

/** Runs steps from the first, each going where it says, until one leads to an end. */
export async function* walkSteps(
  steps: StepRunner,
  context: WalkContext,
): AsyncGenerator<RunEvent, RunOutcome, void> {
  const { request, session } = context;
  const { runId } = session;
  const walk = new Walk(context);
  let step = request.workflow.steps[0];
  while (step) {
    const state = yield* walk.visit(steps, step);
    const interrupted = interruption(state);
    if (interrupted) return { runId, status: interrupted, states: walk.states };
    // Whoever stops the run means the run, not the step: no way out of it leads on.
    if (state.stoppedBy === 'aborted') return { runId, status: 'failure', states: walk.states };
    const target = state.stoppedBy === 'completed' ? step.onSuccess : step.onFailure;
    if (target.kind === 'end') return walk.end(target);
    step = request.workflow.steps.find(({ name }) => name === target.name);
  }
  return { runId, status: 'success', states: walk.states };
}

class Walk {
  readonly states = new Map<string, StepState>();
  readonly #visits = new Map<string, number>();
  readonly #approvedPlans = new Set<string>();
  readonly #recorded: ReadonlySet<string>;
  /** What was said in the steps that others go on from. */
  readonly #histories = new Map<string, History>();
  readonly #budget: SharedBudget | undefined;
  /** How often agents were asked. */
  #asked = 0;
  #total = 0;

  constructor(private readonly context: WalkContext) {
    const { budget } = context.request.workflow;
    this.#budget = budget && new SharedBudget(budget);
    this.#recorded = new Set(
      context.session.records.flatMap((record) =>
        'step' in record ? [`${record.type} ${record.step}`] : [],
      ),
    );
  }

  async *visit(steps: StepRunner, step: AgentStep): AsyncGenerator<RunEvent, StepState, void> {
    const { request, session, tools, signal } = this.context;
    const effectName = this.#effectName(step);
    this.#recordOnce({ type: 'step-started', step: effectName });
    const { provider, providerOptions = {} } = request;
    const state = yield* steps.run(step, {
      effectName,
      scope: templateScope(request.inputs, this.states, request.env),
      tools,
      session,
      signal,
      approvedPlans: this.#approvedPlans,
      formats: request.workflow.formats ?? [],
      // A script serves all steps of a run in their order, so it must know how far the earlier ones came.
      providerOptions: { ...providerOptions, script_offset: this.#asked },
      ...this.#shared(step),
      ...(provider ? { provider } : {}),
    });
    this.#asked += state.turns + (state.conversation?.summaries ?? 0);
    this.#budget?.spend(state.usage);
    this.states.set(step.name, { ...state, name: step.name });
    if (!interruption(state)) {
      this.#recordOnce({ type: 'step-ended', step: effectName, stoppedBy: state.stoppedBy });
    }
    return state;
  }

  /** Work that is done is not lost to a message that cannot be filled: the run fails, and says why. */
  end({ status, message }: Extract<StepTarget, { kind: 'end' }>): RunOutcome {
    const { states } = this;
    const { request, session } = this.context;
    const { runId } = session;
    if (!message) return { runId, status, states };
    try {
      const scope = templateScope(request.inputs, states, request.env);
      return { runId, status, states, message: renderTemplate(message, scope) };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      const problem = `The message of this end cannot be filled: ${error.message} [${error.code}]`;
      return { runId, status: 'failure', states, message: problem };
    }
  }

  /** What a step has in common with others: the run's budget, and what was said before. */
  #shared(step: AgentStep): Pick<StepContext, 'budget' | 'history' | 'onHistory'> {
    const from = step.conversation?.continueFrom;
    const history = from === undefined ? undefined : this.#histories.get(from);
    if (from !== undefined && !history) {
      const message = `Step "${step.name}" goes on from "${from}" (continue_from), which has not run`;
      throw new ToolgateError('EXECUTION.STEP.FAILED', message);
    }
    const { steps } = this.context.request.workflow;
    const isGoneOnFrom = steps.some(({ conversation }) => conversation?.continueFrom === step.name);
    return {
      ...(this.#budget ? { budget: this.#budget } : {}),
      ...(history ? { history } : {}),
      ...(isGoneOnFrom ? { onHistory: (said) => void this.#histories.set(step.name, said) } : {}),
    };
  }

  #effectName(step: AgentStep): string {
    this.#total += 1;
    if (this.#total > MAX_VISITS) {
      const message = `The workflow's states led around ${MAX_VISITS} times without an end`;
      throw new ToolgateError('EXECUTION.STEP.FAILED', message);
    }
    const visit = (this.#visits.get(step.name) ?? 0) + 1;
    this.#visits.set(step.name, visit);
    return visit === 1 ? step.name : `${step.name}#${visit}`;
  }

  /** A resumed run walks the same way again; what it already wrote it does not write twice. */
  #recordOnce(
    entry:
      | { type: 'step-started'; step: string }
      | { type: 'step-ended'; step: string; stoppedBy: StepState['stoppedBy'] },
  ): void {
    if (!this.#recorded.has(`${entry.type} ${entry.step}`)) this.context.session.append(entry);
  }
}

/** A step that did not come to an end of its own: the run can go on from it later. */
function interruption({ stoppedBy }: StepState): RunStatus | undefined {
  if (stoppedBy === 'cancelled') return 'cancelled';
  return stoppedBy === 'suspended' ? 'suspended' : undefined;
}
