import type { AgentNotice } from '../domain/agent-notice.js';
import type { Effect, NoticeInput } from '../domain/effect.js';
import { toFailure } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { Usage } from '../domain/message.js';
import { ReplyError } from '../domain/reply-error.js';
import type { CallRecord, StopReason } from '../domain/step-state.js';
import type { AgentGate, InterruptedTurn } from '../ports/agent-gate.js';
import type { AgentReply } from '../ports/agent-provider.js';
import type { JournalSession } from '../ports/run-journal.js';
import type { PerformContext } from './effect-performer.js';
import { type Emit, marked } from './events.js';
import { GatedCalls, type GatedCallsRequest } from './gated-calls.js';
import { callsSince, lastTurn, noticesOf } from './owned-loop-record.js';
import { type StepProgress, type TurnTrace, withUsage } from './progress.js';
import type { StepPorts } from './step-effects.js';
import type { StepSignal } from './step-signal.js';
import type { StopCondition } from './stop-conditions.js';

export interface OwnedLoopRequest
  extends Pick<GatedCallsRequest, 'step' | 'tools' | 'limits' | 'approvedPlans'> {
  readonly agent: string;
  readonly session: JournalSession;
  readonly stepSignal: StepSignal;
  readonly conditions: readonly StopCondition[];
  readonly emit: Emit;
}

/** A reply, and what ended the agent before it was done, if something did. */
export interface OwnedReply {
  readonly reply: AgentReply;
  readonly endedBy?: StopReason;
}

type Ask = (gate: AgentGate) => Promise<AgentReply>;

const NOTHING_SAID: AgentReply = { message: { role: 'assistant', content: '', calls: [] } };
/** How long an agent that was told to end may take for it. */
const GRACE_MS = 3_000;

/**
 * A step whose agent runs a loop of its own: the calls it makes while it answers go through the step's gate, count
 * against the step's limits, and are in its state. A limit ends the agent, because its loop would not end itself.
 */
export class OwnedLoop {
  #calls: GatedCalls | undefined;
  #progress: StepProgress | undefined;
  #restored: ReadonlyMap<number, CallRecord> = new Map();
  /** What the turn that a process died in had done by then. */
  #interruptedTraces: readonly TurnTrace[] = [];
  #used: Usage | undefined;
  #notices: number;
  #ended = new AbortController();

  constructor(
    private readonly ports: StepPorts,
    private readonly request: OwnedLoopRequest,
  ) {
    this.#notices = noticesOf(request.session.records, request.step).length;
  }

  /** Takes over what processes that died have done for this step. */
  async begin(progress: StepProgress): Promise<void> {
    const { stepSignal, conditions, emit, step, session } = this.request;
    this.#progress = progress;
    this.#calls = new GatedCalls(this.ports, {
      ...this.request,
      signal: stepSignal.signal,
      startedAt: progress.startedAt,
      progress,
      conditions: conditions.map((one) => ({ ...one, isMet: (so) => one.isMet(withUsage(so, this.#used)) })),
    });
    for (const { turn, notice } of noticesOf(session.records, step)) {
      emit(marked({ type: 'agent-notice', step, turn, notice }, true));
    }
    this.#restored = await this.#calls.restore();
    // Turns that are over have had their verdict; the one that is not goes on where it was.
    const open = callsSince(session.records, lastTurn(session.records, step), step).length;
    this.#interruptedTraces = open === 0 ? [] : progress.traces.slice(-open);
    progress.beginExchange();
  }

  /** Asks for one turn. When it resolves, nothing of the turn is under way any more. */
  async turn(effect: Effect<'turn'>, context: PerformContext, ask: Ask): Promise<OwnedReply> {
    const { stepSignal } = this.request;
    this.#ended = new AbortController();
    this.#used = undefined;
    if (context.inDoubt) for (const trace of this.#interruptedTraces) this.#progress?.traces.push(trace);
    const turn = new OpenTurn();
    const asking = ask(this.#gate(effect, { context, turn }));
    try {
      return this.#outcome(await stepSignal.race(asking));
    } catch (error) {
      // Where the step's own time ran out, that is what ended it, and not a reply that failed.
      if (stepSignal.signal.aborted) throw error;
      if (!this.#ended.signal.aborted) throw costing(error, this.#used);
      return this.#outcome(NOTHING_SAID);
    } finally {
      turn.isOver = true;
      await endOf(asking, stepSignal);
      await this.#calls?.settled();
      this.#used = undefined;
    }
  }

  #outcome(reply: AgentReply): OwnedReply {
    // An agent that came to its end beside a limit has come to its end.
    const endedBy = this.#ended.signal.aborted ? this.#limit() : undefined;
    return { reply, ...(endedBy ? { endedBy } : {}) };
  }

  #gate(effect: Effect<'turn'>, { context, turn }: TurnScope): AgentGate {
    const { tools, agent } = this.request;
    const [first] = tools;
    const { turn: number } = effect.input;
    return {
      ...(first ? { workspace: first.workspace } : {}),
      ended: this.#ended.signal,
      ...(context.inDoubt ? { interrupted: this.#interrupted(effect) } : {}),
      call: async (call, caller) => {
        if (turn.isOver || !this.#calls) throw new Error('the turn is over');
        const { record, text } = await this.#calls.call(call, { ...caller, agent });
        // Only once the agent has the answer that says why.
        setTimeout(() => turn.isOver || this.#endIfSpent(), 0);
        return { text, result: record.result };
      },
      used: (usage) => {
        this.#used = usage;
        this.#endIfSpent();
      },
      tell: (notice) => this.#tell({ turn: number, notice }),
      started: context.onProcess,
    };
  }

  #tell(input: NoticeInput): void {
    const { step, emit, session } = this.request;
    this.#notices += 1;
    const value = { ...input } as unknown as Json;
    session.append({ type: 'outcome', id: `${step}/${this.#notices}/notice`, kind: 'notice', value });
    emit({ type: 'agent-notice', step, ...input });
  }

  #interrupted({ id, input }: Effect<'turn'>): InterruptedTurn {
    const { session, step } = this.request;
    const notices = noticesOf(session.records, step).filter(({ turn }) => turn === input.turn);
    const last = notices.map(({ notice }) => notice).findLast(isSession);
    const calls = callsSince(session.records, id, step).flatMap((place) => this.#restored.get(place) ?? []);
    return { calls, ...(last ? { sessionId: last.id } : {}) };
  }

  /** After a person's Ctrl-C at a question the whole run is meant, which a resumed one goes on with. */
  #endIfSpent(): void {
    const reason = this.#limit();
    if (reason === 'cancelled') this.request.stepSignal.cancel('interrupted at a question');
    if (reason) this.#ended.abort(new Error(`the step has reached its limit (${reason})`));
  }

  #limit(): StopReason | undefined {
    const progress = this.#progress;
    if (!progress) return undefined;
    const now = withUsage(progress, this.#used);
    return this.#calls?.stoppedBy ?? this.request.conditions.find((one) => one.isMet(now))?.reason;
  }
}

/** What the agent has told of its usage was used, though nothing came of it. */
function costing(error: unknown, used: Usage | undefined): unknown {
  if (!used || error instanceof ReplyError) return error;
  const { code, message } = toFailure(error, 'EXECUTION.PROVIDER.FAILED');
  return new ReplyError(code, message, used);
}

interface TurnScope {
  readonly context: PerformContext;
  readonly turn: OpenTurn;
}

class OpenTurn {
  isOver = false;
}

function isSession(notice: AgentNotice): notice is Extract<AgentNotice, { kind: 'session' }> {
  return notice.kind === 'session';
}

/** Waits for an agent; once the step is to end, only as long as an agent that obeys needs. */
function endOf(asking: Promise<unknown>, { signal }: StepSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (): void => {
      timer = setTimeout(resolve, GRACE_MS);
    };
    if (signal.aborted) arm();
    else signal.addEventListener('abort', arm, { once: true });
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', arm);
      resolve();
    };
    asking.then(done, done);
  });
}
