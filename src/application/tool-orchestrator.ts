import type { StepState } from '../domain/step-state.js';
import { DEFAULT_TOOL_OPTIONS } from '../domain/workflow.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { Clock } from '../ports/clock.js';
import type { JournalSession, RunJournal } from '../ports/run-journal.js';
import type { ToolExecutor } from '../ports/tool-executor.js';
import { agentWarnings } from './agent-warnings.js';
import { planConversation } from './conversation-plan.js';
import { entriesByName } from './entries-by-name.js';
import { EventStream } from './event-stream.js';
import type { Emit, OrchestratorEvent } from './events.js';
import { JournaledRun } from './journaled-run.js';
import { OwnedLoop } from './owned-loop.js';
import { choiceOf, speakProtocol } from './speak-protocol.js';
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

interface Live {
  readonly stepSignal: StepSignal;
  readonly emit: Emit;
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
  run(request: StepRequest, options: OrchestrateOptions): AsyncGenerator<OrchestratorEvent, StepState, void> {
    let stepSignal: StepSignal | undefined;
    return new EventStream<OrchestratorEvent, StepState>({
      start: (emit) => {
        stepSignal = new StepSignal(options.signal);
        return this.#record(request, options.session, { stepSignal, emit });
      },
      leave: () => stepSignal?.cancel('nobody is reading the run any more'),
    });
  }

  async #record(request: StepRequest, session: JournalSession | undefined, live: Live): Promise<StepState> {
    using _signal = live.stepSignal;
    // Awaited here: the signal must live as long as the loop does.
    if (session) return await this.#runLoop(request, session, live);
    const secretless = { secrets: [], durability: 'crash' } as const;
    const own = await this.journal.open(this.clock.newRunId(), 'create', secretless);
    try {
      return await this.#runLoop(request, own, live);
    } finally {
      await own.close();
    }
  }

  async #runLoop(
    request: StepRequest,
    session: JournalSession,
    { stepSignal, emit }: Live,
  ): Promise<StepState> {
    const limits = { ...DEFAULT_TOOL_OPTIONS, ...request.limits };
    const tools = entriesByName(request.tools);
    for (const { handler, approval } of request.tools) this.#ports.validator.prepare(handler.tool, approval);
    const offered = request.tools.map(({ handler }) => handler.tool);
    const agent = await speakProtocol(request.agent, offered, choiceOf(request));
    const { timeoutPerCallMs, maxDurationMs } = limits;
    const { conversation, budget, onHistory } = request;
    const { folder } = session;
    const live = {
      request: { ...request, agent },
      tools,
      timeoutPerCallMs,
      stepSignal,
      emit,
      ...(folder ? { folder } : {}),
    };
    const conditions = [
      ...conditionsOf(limits),
      ...(budget?.conditions() ?? []),
      ...(request.stopWhen ?? []),
    ];
    const approvedPlans = request.approvedPlans ?? new Set<string>();
    const owned = agent.ownsLoop
      ? new OwnedLoop(this.#ports, {
          ...{ step: request.step, agent: agent.name, tools: request.tools, limits, approvedPlans },
          ...{ session, stepSignal, conditions, emit },
        })
      : undefined;
    const effects = new StepEffects(this.#ports, { ...live, ...(owned ? { owned } : {}) });
    const run = new JournaledRun(session, effects);
    return runStepLoop(
      run,
      {
        step: request.step,
        messages: request.messages,
        limits,
        // An agent that owns its loop was ended by the limit, and has no last turn.
        conditions: owned ? conditions.map((one) => ({ ...one, lastTurn: false })) : conditions,
        ...(conversation ? { conversation: planConversation(conversation) } : {}),
        ...(onHistory ? { onHistory } : {}),
        isExclusive: (name) => tools.get(name)?.handler.tool.exclusive ?? false,
        approvedPlans,
        isCancelled: () => stepSignal.isCancelled,
        withdrawReviews: () => effects.withdrawReviews(),
        onBegin: async (at, progress) => {
          budget?.begin(at);
          const own = maxDurationMs === undefined ? Number.POSITIVE_INFINITY : at + maxDurationMs;
          stepSignal.arm(Math.min(own, budget?.deadline ?? own) - this.clock.now());
          const isCostLimited = conditions.some(({ reason }) => reason === 'max_cost');
          for (const message of agentWarnings(request.agent, isCostLimited))
            emit(warning(request.step, message));
          await owned?.begin(progress);
        },
      },
      emit,
    );
  }
}

function warning(step: string, message: string): OrchestratorEvent {
  return { type: 'agent-notice', step, turn: 0, notice: { kind: 'warning', message } };
}
