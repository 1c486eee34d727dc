import type { Effect } from '../domain/effect.js';
import type { Usage } from '../domain/message.js';
import type { CallRecord, StepState, StopReason } from '../domain/step-state.js';
import type { RequestedCall } from '../domain/tool-call.js';
import { failedResult } from '../domain/tool-result.js';
import { DEFAULT_TOOL_OPTIONS, type ToolOptions } from '../domain/workflow.js';
import type { JournalSession } from '../ports/run-journal.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import { AbandonedEffects } from './abandoned-effects.js';
import { answerCalls } from './answer-calls.js';
import { CallAllowance } from './call-allowance.js';
import { type CallBatch, reviewDeadline } from './call-batch.js';
import { CallSlots } from './call-slots.js';
import { EffectPendingError } from './effect-performer.js';
import { entriesByName } from './entries-by-name.js';
import type { Emit } from './events.js';
import { JournaledRun } from './journaled-run.js';
import {
  type AnsweredCall,
  callerOf,
  loggingTo,
  type OutsideCall,
  type OutsideCaller,
  placesTaken,
} from './outside-call.js';
import { OutsideEffects } from './outside-effects.js';
import { StepProgress } from './progress.js';
import { StepEffects, type StepPorts } from './step-effects.js';
import { StepSignal } from './step-signal.js';
import { conditionsOf, type StopCondition, turnsLookedBack } from './stop-conditions.js';

/** The run, or the step of one, that calls from outside belong to. */
export interface GatedCallsRequest {
  /** The first part of every effect's id. */
  readonly step: string;
  readonly tools: readonly ToolEntry[];
  readonly session: JournalSession;
  /** Ends every call, and lets no other begin. */
  readonly signal: AbortSignal;
  readonly limits?: Partial<ToolOptions>;
  /** When the step began, if that was before; `max_duration` counts from then. */
  readonly startedAt?: number;
  readonly approvedPlans?: Set<string>;
  /** The step that the calls are a part of, if they are not all of it: they count there. */
  readonly progress?: StepProgress;
  /** Instead of those that the limits stand for. */
  readonly conditions?: readonly StopCondition[];
  readonly emit?: Emit;
}

const NOTHING: Emit = () => undefined;

/**
 * Calls that come from outside of our own loop, in any number and side by side, through the very gate that the loop
 * uses: validated, decided, asked about, run, recorded, limited. Every call gets exactly one answer; only a record that
 * cannot be written makes one throw.
 */
export class GatedCalls {
  readonly #tools: ReadonlyMap<string, ToolEntry>;
  readonly #limits: ToolOptions;
  readonly #progress: StepProgress;
  readonly #allowance: CallAllowance;
  readonly #effects: OutsideEffects;
  readonly #run: JournaledRun;
  readonly #approvedPlans: Set<string>;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #underWay = new Set<Promise<unknown>>();
  #taken: number;

  constructor(
    private readonly ports: StepPorts,
    private readonly request: GatedCallsRequest,
  ) {
    const { tools, limits, session, step, startedAt = ports.clock.now() } = request;
    this.#tools = entriesByName(tools);
    for (const { handler, approval } of tools) ports.validator.prepare(handler.tool, approval);
    this.#limits = { ...DEFAULT_TOOL_OPTIONS, ...limits };
    const conditions = request.conditions ?? conditionsOf(this.#limits);
    const keptTraces = turnsLookedBack(conditions);
    this.#progress = request.progress ?? new StepProgress(step, startedAt, { keptTraces });
    this.#allowance = new CallAllowance(this.#progress, this.#limits, conditions);
    this.#effects = new OutsideEffects(new CallSlots(this.#limits.maxParallel), this.#isExclusive);
    this.#run = new JournaledRun(session, this.#effects);
    this.#approvedPlans = request.approvedPlans ?? new Set();
    this.#signal = AbortSignal.any([request.signal, this.#closing.signal]);
    this.#taken = Math.max(0, ...placesTaken(session, step));
  }

  /** What ended the session, or the limit that a call was refused by. */
  get stoppedBy(): StopReason | undefined {
    return this.#allowance.stoppedBy;
  }

  call(call: OutsideCall, caller: OutsideCaller): Promise<AnsweredCall> {
    const answering = this.#answer(call, caller);
    this.#underWay.add(answering);
    return answering.finally(() => this.#underWay.delete(answering));
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /**
   * Counts the calls of processes that died, so that limits and state know of them. Nothing of them is run, nobody is
   * asked: whoever made them no longer waits. Gives them by their place.
   */
  async restore(): Promise<ReadonlyMap<number, CallRecord>> {
    const { session, step, emit = NOTHING } = this.request;
    const restored = new Map<number, CallRecord>();
    for (const turn of placesTaken(session, step)) {
      using stepSignal = new StepSignal(this.#signal);
      this.#progress.addCall(this.#progress.now);
      const requested = { id: `call_${turn}`, name: '', arguments: {} };
      const effects = new AbandonedEffects(this.ports.clock);
      const bounds = { runnable: Number.POSITIVE_INFINITY };
      const { record } = await this.#recorded({ requested, turn, emit, stepSignal, effects, bounds });
      restored.set(turn, record);
    }
    return restored;
  }

  /** What the caller's own model has cost, for the budgets that count it. */
  addUsage(usage: Usage): void {
    this.#progress.addUsage(usage);
  }

  /** Ends the calls that are under way, and gives the state of the step once the last has its answer. */
  async close(stoppedBy: StopReason = 'completed'): Promise<StepState> {
    this.#closing.abort(new Error('the session has ended'));
    await this.settled();
    return this.#progress.finish(this.stoppedBy ?? stoppedBy);
  }

  async #answer(call: OutsideCall, caller: OutsideCaller): Promise<AnsweredCall> {
    this.#taken += 1;
    const turn = this.#taken;
    this.#count();
    const requested = { id: call.id ?? `call_${turn}`, name: call.tool, arguments: call.arguments };
    using stepSignal = new StepSignal(AbortSignal.any([this.#signal, caller.signal]));
    this.#arm(stepSignal);
    const emit = loggingTo(caller, this.request.emit ?? NOTHING);
    const effects = this.#effectsOf(caller, stepSignal, emit);
    const bounds = this.#allowance.bounds();
    try {
      return await this.#recorded({ requested, turn, emit, stepSignal, effects, bounds });
    } finally {
      // Ctrl-C where only a gate could see it means everything, not the one call that was asked about.
      if (stepSignal.isCancelled && !this.#signal.aborted && !caller.signal.aborted)
        this.#allowance.stop('cancelled');
    }
  }

  /** In a session of its own, each call is a turn. */
  #count(): void {
    const at = this.ports.clock.now();
    if (this.request.progress) this.#progress.addCall(at);
    else this.#progress.addTurn({ text: '', calls: 1, at });
  }

  async #recorded(answering: Answering): Promise<AnsweredCall> {
    const { requested, turn, emit, stepSignal, effects } = answering;
    const place = `${this.request.step}/${turn}/1`;
    this.#effects.begin(place, { effects, signal: stepSignal });
    try {
      return await this.#settle(place, answering);
    } catch (error) {
      if (!(error instanceof EffectPendingError)) throw error;
      return this.#unanswered(requested, emit);
    } finally {
      this.#effects.end(place);
    }
  }

  async #settle(
    place: string,
    { requested, turn, emit, stepSignal, effects, bounds }: Answering,
  ): Promise<AnsweredCall> {
    const { step } = this.request;
    const input = { call: requested };
    const ask: Effect<'prepare'> = { id: `${place}/ask`, kind: 'prepare', input };
    const { value: prepared } = await this.#run.task(ask);
    const answers = await answerCalls(
      {
        run: this.#run,
        emit,
        step,
        turn,
        maxParallel: 1,
        isExclusive: this.#isExclusive,
        isCancelled: () => stepSignal.isCancelled,
        approvedPlans: this.#approvedPlans,
        withdrawReviews: () => effects.withdrawReviews(),
        ...reviewDeadline(this.#progress.now, this.#limits),
        ...bounds,
        limit: this.#limits.maxCalls,
      },
      [prepared],
    );
    if (answers.stop === 'aborted') this.#allowance.stop('aborted');
    if (answers.approvalUnavailable) this.#progress.approvalUnavailable = true;
    this.#progress.addResults(answers.records, answers.trace);
    const [record] = answers.records;
    if (!record) throw new EffectPendingError(place);
    return { record, text: answers.injected[0]?.output ?? record.result.output };
  }

  /** Cancelled before it could be decided: nothing was asked and nothing ran. */
  #unanswered({ id, name, arguments: args }: RequestedCall, emit: Emit): AnsweredCall {
    const message = 'Not run: the call was cancelled.';
    const result = failedResult({ code: 'EXECUTION.CALL.CANCELLED', message });
    emit({ type: 'call-end', step: this.request.step, callId: id, tool: name, result });
    return { record: { id, tool: name, arguments: { $raw: args ?? null }, result }, text: message };
  }

  #arm(stepSignal: StepSignal): void {
    const { maxDurationMs } = this.#limits;
    if (maxDurationMs === undefined) return;
    stepSignal.arm(this.#progress.startedAt + maxDurationMs - this.ports.clock.now());
  }

  #effectsOf(caller: OutsideCaller, stepSignal: StepSignal, emit: Emit): StepEffects {
    const { step, tools, session } = this.request;
    const { folder } = session;
    return new StepEffects(this.ports, {
      request: { step, agent: callerOf(caller), messages: [], tools, limits: this.#limits },
      tools: this.#tools,
      timeoutPerCallMs: this.#limits.timeoutPerCallMs,
      stepSignal,
      emit,
      ...(folder ? { folder } : {}),
    });
  }

  readonly #isExclusive = (name: string): boolean => this.#tools.get(name)?.handler.tool.exclusive ?? false;
}

interface Answering {
  readonly requested: RequestedCall;
  readonly turn: number;
  readonly emit: Emit;
  readonly stepSignal: StepSignal;
  readonly effects: StepEffects | AbandonedEffects;
  readonly bounds: Pick<CallBatch, 'runnable' | 'spent'>;
}
