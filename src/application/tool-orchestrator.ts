import { ToolgateError } from '../domain/errors.js';
import type { StepState } from '../domain/step-state.js';
import { DEFAULT_TOOL_OPTIONS } from '../domain/workflow.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { Clock } from '../ports/clock.js';
import type { JournalSession, RunJournal } from '../ports/run-journal.js';
import type { ToolEntry, ToolExecutor } from '../ports/tool-executor.js';
import { EventQueue } from './event-queue.js';
import type { Emit, OrchestratorEvent } from './events.js';
import { JournaledRun } from './journaled-run.js';
import { StepEffects, type StepPorts } from './step-effects.js';
import { runStepLoop } from './step-loop.js';
import type { StepRequest } from './step-request.js';
import { StepSignal } from './step-signal.js';
import { conditionsOf } from './stop-conditions.js';

export interface OrchestrateOptions {
  readonly signal: AbortSignal;
  /** The run that this step is a part of; a run of its own is opened when it is left out. */
  readonly session?: JournalSession;
}

/** Lets an agent use tools until it is done: the loop of one step, shown as a stream of events. */
export class ToolOrchestrator {
  readonly #ports: StepPorts;

  constructor(
    executor: ToolExecutor,
    gate: ApprovalGate,
    validator: ArgumentValidator,
    private readonly clock: Clock,
    private readonly journal: RunJournal,
  ) {
    this.#ports = { executor, gate, validator, clock };
  }

  /** Yields what happens and returns the step's state. A slow reader stalls nothing; leaving early cancels. */
  async *run(
    request: StepRequest,
    options: OrchestrateOptions,
  ): AsyncGenerator<OrchestratorEvent, StepState, void> {
    const leaving = new AbortController();
    const follow = (): void => leaving.abort(options.signal.reason);
    if (options.signal.aborted) follow();
    options.signal.addEventListener('abort', follow, { once: true });
    const events = new EventQueue<OrchestratorEvent>();
    const finished = this.#record(request, { ...options, signal: leaving.signal }, events.push).finally(
      events.close,
    );
    // Whoever reads gets the failure below; until then it must not count as unhandled.
    const settled = finished.then(
      () => undefined,
      () => undefined,
    );
    try {
      for (let batch = await events.take(); batch; batch = await events.take()) {
        for (const event of batch) yield event;
      }
    } finally {
      options.signal.removeEventListener('abort', follow);
      // Only a reader who left early finds the queue still open.
      if (!events.isClosed) leaving.abort(new Error('nobody is reading the run any more'));
      await settled;
    }
    return finished;
  }

  async #record(request: StepRequest, options: OrchestrateOptions, emit: Emit): Promise<StepState> {
    if (options.session) return this.#runLoop(request, options.session, { signal: options.signal, emit });
    const secretless = { secrets: [], durability: 'crash' } as const;
    const session = await this.journal.open(this.clock.newRunId(), 'create', secretless);
    try {
      return await this.#runLoop(request, session, { signal: options.signal, emit });
    } finally {
      await session.close();
    }
  }

  async #runLoop(
    request: StepRequest,
    session: JournalSession,
    { signal, emit }: { readonly signal: AbortSignal; readonly emit: Emit },
  ): Promise<StepState> {
    using stepSignal = new StepSignal(signal);
    const limits = { ...DEFAULT_TOOL_OPTIONS, ...request.limits };
    const tools = byName(request.tools);
    for (const { handler, approval } of request.tools) this.#ports.validator.prepare(handler.tool, approval);
    const { timeoutPerCallMs } = limits;
    const { folder } = session;
    const live = { request, tools, timeoutPerCallMs, stepSignal, emit, ...(folder ? { folder } : {}) };
    const run = new JournaledRun(session, new StepEffects(this.#ports, live));
    // Awaited here: the signal must live as long as the loop does.
    return await runStepLoop(
      run,
      {
        step: request.step,
        messages: request.messages,
        limits,
        conditions: [...conditionsOf(limits), ...(request.stopWhen ?? [])],
        isExclusive: (name) => tools.get(name)?.handler.tool.exclusive ?? false,
        approvedPlans: request.approvedPlans ?? new Set(),
        isCancelled: () => stepSignal.isCancelled,
        onBegin: (at) => {
          const { maxDurationMs } = limits;
          if (maxDurationMs !== undefined) stepSignal.arm(at + maxDurationMs - this.clock.now());
        },
      },
      emit,
    );
  }
}

function byName(tools: readonly ToolEntry[]): ReadonlyMap<string, ToolEntry> {
  const map = new Map<string, ToolEntry>();
  for (const entry of tools) {
    const { name } = entry.handler.tool;
    if (map.has(name))
      throw new ToolgateError('WORKFLOW.VALIDATION.DUPLICATE', `Two tools are named "${name}"`);
    map.set(name, entry);
  }
  return map;
}
