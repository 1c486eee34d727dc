import type { TurnOutcome } from '../domain/effect.js';
import type { AssistantMessage, Message } from '../domain/message.js';
import type { StepState } from '../domain/step-state.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { DurableRun } from '../ports/durable-run.js';
import { answerCalls, type CallAnswers } from './answer-calls.js';
import { EffectPendingError } from './effect-performer.js';
import { type Emit, marked } from './events.js';
import { StepProgress } from './progress.js';
import type { StopCondition } from './stop-conditions.js';

/** What the loop itself needs; agents, tools and people are behind the run's effects. */
export interface LoopRequest {
  readonly step: string;
  readonly messages: readonly Message[];
  readonly limits: ToolOptions;
  readonly conditions: readonly StopCondition[];
  readonly isExclusive: (tool: string) => boolean;
  readonly approvedPlans: Set<string>;
  /** Whether the run was cancelled; asked before each effect that costs something. */
  readonly isCancelled: () => boolean;
  /** Told when the step began, also if that was in another process: deadlines count from then. */
  readonly onBegin?: (at: number) => void;
}

/**
 * The loop: ask, answer every call, ask again, until the agent is done or a condition stops it. It computes
 * only; whatever touches the world is an effect of `run`, so the same loop runs in memory, on a file and on a
 * distributed engine, and runs again after a crash without repeating anything.
 */
export async function runStepLoop(run: DurableRun, request: LoopRequest, emit: Emit): Promise<StepState> {
  const { step } = request;
  const begin = await run.task({ id: `${step}/begin`, kind: 'begin', input: { step } });
  request.onBegin?.(begin.value.at);
  const loop: Loop = {
    run,
    request,
    emit,
    progress: new StepProgress(step, begin.value.at),
    transcript: [...request.messages],
  };
  emit(marked({ type: 'step-start', step }, begin.replayed));
  const state = await takeTurns(loop);
  emit({ type: 'step-end', step, state });
  return state;
}

interface Loop {
  readonly run: DurableRun;
  readonly request: LoopRequest;
  readonly emit: Emit;
  readonly progress: StepProgress;
  readonly transcript: Message[];
}

async function takeTurns(loop: Loop): Promise<StepState> {
  const { progress, request } = loop;
  try {
    for (;;) {
      const ended = await takeTurn(loop);
      if (ended) return ended;
      const met = request.conditions.find((condition) => condition.isMet(progress));
      if (met) return await endOnLimit(loop, met);
    }
  } catch (error) {
    if (!(error instanceof EffectPendingError)) throw error;
    return progress.finish(request.isCancelled() ? 'cancelled' : 'suspended');
  }
}

/** One turn: the agent's reply and the answers to its calls. Gives the state if the step ended with it. */
async function takeTurn(loop: Loop): Promise<StepState | undefined> {
  const { progress, request, transcript } = loop;
  if (request.isCancelled()) return progress.finish('cancelled');
  const outcome = await askAgent(loop, true);
  if (!outcome.message) return endOnFailure(loop, outcome);
  if (outcome.calls.length === 0) return endOnReply(loop, outcome.message);
  const answers = await answer(loop, outcome);
  transcript.push({ role: 'tool', results: answers.injected });
  if (answers.stop) return progress.finish(answers.stop);
  return undefined;
}

async function askAgent(loop: Loop, offerTools: boolean): Promise<TurnOutcome> {
  const { run, request, emit, progress, transcript } = loop;
  const { step } = request;
  const turn = progress.turns + 1;
  emit({ type: 'turn-start', step, turn, offerTools });
  const { value, replayed } = await run.task({
    id: `${step}/${turn}/turn`,
    kind: 'turn',
    input: { turn, messages: transcript, offerTools },
  });
  if (value.message) transcript.push(value.message);
  const text = value.message?.content ?? '';
  const calls = value.calls.length;
  const usage = value.usage ? { usage: value.usage } : undefined;
  progress.addTurn({ text, calls, at: value.at, ...usage });
  emit(marked({ type: 'turn-end', step, turn, text, calls, ...usage }, replayed));
  return value;
}

async function answer(loop: Loop, outcome: TurnOutcome, closedBy?: StopCondition): Promise<CallAnswers> {
  const { progress, request } = loop;
  const spent =
    closedBy ?? request.conditions.find((condition) => !condition.lastTurn && condition.isMet(progress));
  const answers = await answerCalls(
    {
      run: loop.run,
      emit: loop.emit,
      step: request.step,
      turn: progress.turns,
      maxParallel: request.limits.maxParallel,
      isExclusive: request.isExclusive,
      isCancelled: request.isCancelled,
      approvedPlans: request.approvedPlans,
      runnable: request.limits.maxCalls - (progress.calls - outcome.calls.length),
      limit: request.limits.maxCalls,
      ...(spent ? { spent: spent.reason } : {}),
    },
    outcome.calls,
  );
  if (answers.approvalUnavailable) progress.approvalUnavailable = true;
  if (answers.at !== undefined) progress.now = Math.max(progress.now, answers.at);
  progress.addResults(answers.records, answers.trace);
  return answers;
}

/** After a limit that allows it, the agent sums up without tools; calls it still writes are answered, not run. */
async function endOnLimit(loop: Loop, condition: StopCondition): Promise<StepState> {
  const { progress, request } = loop;
  if (!condition.lastTurn || request.isCancelled()) return progress.finish(condition.reason);
  const outcome = await askAgent(loop, false);
  if (outcome.calls.length > 0) {
    const answers = await answer(loop, outcome, condition);
    loop.transcript.push({ role: 'tool', results: answers.injected });
  }
  return progress.finish(condition.reason);
}

/** A reply that was cut off is not the agent's answer, only the beginning of one. */
function endOnReply({ progress }: Loop, { cutOff }: AssistantMessage): StepState {
  return cutOff ? progress.finish('error', CUT_OFF) : progress.finish('completed');
}

const CUT_OFF = {
  code: 'EXECUTION.PROVIDER.CUT_OFF',
  message:
    "The agent's reply was cut off before its end; give it more room with max_tokens among the step's options",
} as const;

/** A provider that failed because time ran out or the run was cancelled is not a failed provider. */
function endOnFailure({ progress, request }: Loop, outcome: TurnOutcome): StepState {
  const limit = request.conditions.find((condition) => condition.isMet(progress));
  if (limit) return progress.finish(limit.reason);
  return progress.finish('error', outcome.failure);
}
