import type { ApprovalDecision } from '../domain/approval.js';
import type {
  CallOutcome,
  Effect,
  EffectKind,
  OutcomeOf,
  PreparedCall,
  TurnOutcome,
} from '../domain/effect.js';
import type { AssistantMessage } from '../domain/message.js';
import { failedReply } from '../domain/reply-error.js';
import type { Tool } from '../domain/tool.js';
import type { RequestedCall } from '../domain/tool-call.js';
import type { AgentGate } from '../ports/agent-gate.js';
import type { AgentReply } from '../ports/agent-provider.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { Clock } from '../ports/clock.js';
import type { PlannedCall, ToolEntry, ToolExecutor } from '../ports/tool-executor.js';
import { CallIds } from './call-ids.js';
import { listenToUser, summarizeMessages } from './conversation-effects.js';
import type { EffectPerformer, PerformContext } from './effect-performer.js';
import type { Emit } from './events.js';
import { executeCall } from './execute-call.js';
import type { OwnedLoop } from './owned-loop.js';
import { type PrepareScope, prepareCall } from './prepare-call.js';
import { readCalls } from './read-calls.js';
import { reviewCall } from './review-call.js';
import type { StepRequest } from './step-request.js';
import type { StepSignal } from './step-signal.js';

/** The ports behind a step's effects. */
export interface StepPorts {
  readonly executor: ToolExecutor;
  readonly gate: ApprovalGate;
  readonly validator: ArgumentValidator;
  readonly clock: Clock;
}

/** One step while it runs. */
export interface LiveStep {
  readonly request: StepRequest;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly timeoutPerCallMs: number;
  readonly stepSignal: StepSignal;
  readonly emit: Emit;
  /** Set for an agent that owns its loop. */
  readonly owned?: OwnedLoop;
  /** Where outputs over their limit are kept whole; absent where a run has no folder. */
  readonly folder?: string;
}

type Handlers = {
  readonly [K in EffectKind]: (
    effect: Effect<K>,
    context: PerformContext,
  ) => Promise<OutcomeOf<K> | undefined>;
};

/** Performs the effects of one step: the only place where the loop's data meets agents, tools and people. */
export class StepEffects implements EffectPerformer {
  // Live plans by hash: the object that was approved is the object that runs. Lost with the process, then made anew.
  readonly #plans = new Map<string, PlannedCall>();
  readonly #handlers: Handlers = {
    begin: async () => ({ at: this.ports.clock.now() }),
    turn: (effect, context) => this.#turn(effect, context),
    prepare: ({ input }) => this.#prepare(input.call),
    review: (effect, context) => this.#review(effect, context),
    listen: ({ input }) => listenToUser(input, this.live, this.ports.clock),
    summary: ({ input }) => summarizeMessages(input, this.live, this.ports.clock),
    notice: async ({ input }) => input,
    call: (effect, context) => this.#call(effect, context),
  };

  readonly #ids = new CallIds();
  readonly #scope: PrepareScope;
  readonly #offered: readonly Tool[];
  #withdrawal = new AbortController();

  constructor(
    private readonly ports: StepPorts,
    private readonly live: LiveStep,
  ) {
    const { executor, validator } = ports;
    const { tools, stepSignal } = live;
    const remember = (planned: PlannedCall): void => void this.#plans.set(planned.planHash, planned);
    this.#scope = { tools, executor, validator, signal: stepSignal.signal, remember };
    this.#offered = [...tools.values()].map(({ handler }) => handler.tool);
  }

  perform<K extends EffectKind>(
    effect: Effect<K>,
    context: PerformContext,
  ): Promise<OutcomeOf<K> | undefined> {
    return this.#handlers[effect.kind](effect, context);
  }

  async #turn(effect: Effect<'turn'>, context: PerformContext): Promise<TurnOutcome | undefined> {
    const { stepSignal } = this.live;
    try {
      const { owned } = this.live;
      const { reply, endedBy } = owned
        ? await owned.turn(effect, context, (gate) => this.#ask(effect, gate))
        : { reply: await stepSignal.race(this.#ask(effect)), endedBy: undefined };
      // What a person stopped is not what the agent came to: a resumed run goes on with it.
      if (endedBy === 'cancelled') return undefined;
      const read = readCalls(reply.message, this.live, effect.input);
      const named = this.#ids.name(read instanceof Promise ? await read : read, effect.input);
      const message = withCalls(reply.message, named);
      const calls: PreparedCall[] = [];
      for (const call of message.calls) {
        const prepared = prepareCall(call, this.#scope);
        calls.push(prepared instanceof Promise ? await prepared : prepared);
      }
      // What was interrupted looks like a refusal: a resumed run must not tell the agent that.
      if (stepSignal.isCancelled) return undefined;
      const ending = endedBy ? { endedBy } : undefined;
      return {
        message,
        calls,
        at: this.ports.clock.now(),
        ...countsOf(reply, owned !== undefined),
        ...ending,
      };
    } catch (error) {
      // A cancelled turn is as if it had never been asked: a resumed run asks again.
      if (stepSignal.isCancelled) return undefined;
      return { ...failedReply(error), calls: [], at: this.ports.clock.now() };
    }
  }

  async #prepare(call: RequestedCall): Promise<PreparedCall | undefined> {
    const prepared = await prepareCall(call, this.#scope);
    return this.live.stepSignal.isCancelled ? undefined : prepared;
  }

  #ask({ input }: Effect<'turn'>, gate?: AgentGate): Promise<AgentReply> {
    const { request, stepSignal, emit } = this.live;
    const tools = input.offerTools ? this.#offered : [];
    return request.agent.complete(
      { messages: input.messages, tools, options: request.options ?? {}, asked: input.asked },
      {
        signal: stepSignal.signal,
        onText: (text) => emit({ type: 'text-delta', step: request.step, turn: input.turn, text }),
        ...(gate ? { gate } : undefined),
      },
    );
  }

  /** Takes back all questions that nobody has answered; those put later stand. */
  withdrawReviews(): void {
    this.#withdrawal.abort();
    this.#withdrawal = new AbortController();
  }

  #review(effect: Effect<'review'>, { runId }: PerformContext): Promise<ApprovalDecision | undefined> {
    const { gate, clock } = this.ports;
    const { stepSignal, request } = this.live;
    const { step, agent } = request;
    return reviewCall(effect, {
      gate,
      clock,
      stepSignal,
      withdrawal: this.#withdrawal.signal,
      context: { runId, step, agent: agent.name },
    });
  }

  #call(effect: Effect<'call'>, context: PerformContext): Promise<CallOutcome> {
    const planned = this.#plans.get(effect.input.planHash);
    if (planned) this.#plans.delete(effect.input.planHash);
    return executeCall(effect, this.ports, { live: this.live, context, planned });
  }
}

/** What a reply has cost. An agent that owns its loop has asked its model who knows how often, with what context. */
function countsOf(
  { usage, contextTokens }: AgentReply,
  ownsLoop: boolean,
): Pick<TurnOutcome, 'usage' | 'contextTokens'> | undefined {
  const context = contextTokens ?? (ownsLoop ? 0 : undefined);
  return usage && { usage, ...(context === undefined ? undefined : { contextTokens: context }) };
}

function withCalls(said: AssistantMessage, calls: readonly RequestedCall[]): AssistantMessage {
  return calls === said.calls ? said : { ...said, calls };
}
