import { cutOffFailure } from '../domain/cut-off.js';
import type { TurnOutcome } from '../domain/effect.js';
import { type AssistantMessage, type Message, totalTokens } from '../domain/message.js';
import type { StepState } from '../domain/step-state.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { DurableRun } from '../ports/durable-run.js';
import { answerCalls, type CallAnswers } from './answer-calls.js';
import { reviewDeadline } from './call-batch.js';
import { ContextWindow } from './context-window.js';
import type { ConversationPlan, NextMove } from './conversation-plan.js';
import { EffectPendingError } from './effect-performer.js';
import { type Emit, marked } from './events.js';
import { fitContext } from './fit-context.js';
import { endBy, makeMove, moveAfter } from './follow-up.js';
import { type Loop, metCondition, usageOf } from './loop-state.js';
import { StepProgress } from './progress.js';
import { type StopCondition, turnsLookedBack } from './stop-conditions.js';

/** What the loop itself needs; agents, tools and people are behind the run's effects. */
export interface LoopRequest {
  readonly step: string;
  readonly messages: readonly Message[];
  readonly limits: ToolOptions;
  readonly conditions: readonly StopCondition[];
  /** How the step goes on after a reply without calls; it ends there when this is left out. */
  readonly conversation?: ConversationPlan;
  readonly isExclusive: (tool: string) => boolean;
  readonly approvedPlans: Set<string>;
  /** Takes back all questions that nobody has answered. */
  readonly withdrawReviews: () => void;
  /** Whether the run was cancelled; asked before each effect that costs something. */
  readonly isCancelled: () => boolean;
  /** Told when the step began, also if that was in another process: deadlines count from then. */
  readonly onBegin?: (at: number, progress: StepProgress) => Promise<void>;
  /** Given the history as the agent last saw it. */
  readonly onHistory?: (messages: readonly Message[]) => void;
}

/**
 * The loop: ask, answer every call, ask again, until the agent is done or a condition stops it. It computes
 * only; whatever touches the world is an effect of `run`, so the same loop runs in memory, on a file and on a
 * distributed engine, and runs again after a crash without repeating anything.
 */
export async function runStepLoop(run: DurableRun, request: LoopRequest, emit: Emit): Promise<StepState> {
  const { step } = request;
  const begin = await run.task({ id: `${step}/begin`, kind: 'begin', input: { step } });
  const progress = new StepProgress(step, begin.value.at, {
    keptTraces: turnsLookedBack(request.conditions),
    isConversation: request.conversation !== undefined,
  });
  const window = new ContextWindow(request.messages, request.conversation?.window);
  const countsTokens =
    request.conditions.some(({ reason }) => reason === 'max_tokens') ||
    (request.conversation?.countsTokens ?? false);
  const loop: Loop = { run, request, emit, progress, window, countsTokens };
  emit(marked({ type: 'step-start', step }, begin.replayed));
  await request.onBegin?.(begin.value.at, progress);
  const state = await takeTurns(loop);
  request.onHistory?.(loop.window.history);
  emit({ type: 'step-end', step, state });
  return state;
}

async function takeTurns(loop: Loop): Promise<StepState> {
  try {
    return await untilOver(loop);
  } catch (error) {
    if (!(error instanceof EffectPendingError)) throw error;
    return loop.progress.finish(loop.request.isCancelled() ? 'cancelled' : 'suspended');
  }
}

async function untilOver(loop: Loop): Promise<StepState> {
  // What a run shares may be used up before this step has done anything.
  const spent = metCondition(loop, 'final');
  if (spent) return loop.progress.finish(spent.reason);
  for (;;) {
    const turn = await takeTurn(loop);
    if (turn.ended) return turn.ended;
    const met = metCondition(loop);
    if (met) return await endOnLimit(loop, met);
    const ended = turn.next && (await makeMove(loop, turn.next));
    if (ended) return ended;
  }
}

/** How a turn ended: with the step, or with what comes before the next one; with calls, their results are enough. */
interface TurnEnd {
  readonly ended?: StepState;
  readonly next?: Exclude<NextMove, { kind: 'end' }>;
}

/** One turn: the agent's reply and the answers to its calls, or what comes after a reply without calls. */
async function takeTurn(loop: Loop): Promise<TurnEnd> {
  const { progress, request, window } = loop;
  if (request.isCancelled()) return { ended: progress.finish('cancelled') };
  const outcome = await askAgent(loop, true);
  if (!outcome) return { ended: progress.finish('max_context_tokens') };
  if (outcome.endedBy) return { ended: progress.finish(outcome.endedBy) };
  if (!outcome.message) return { ended: endOnFailure(loop, outcome) };
  if (outcome.calls.length === 0) return afterReply(loop, outcome.message);
  const answers = await answer(loop, outcome);
  window.push({ role: 'tool', results: answers.injected });
  return answers.stop ? { ended: progress.finish(answers.stop) } : {};
}

/** Nothing when the agent could not be asked: its context is full. */
async function askAgent(loop: Loop, offerTools: boolean): Promise<TurnOutcome | undefined> {
  const { run, request, emit, progress, window } = loop;
  const { step } = request;
  const fits = fitContext(loop);
  if (!(typeof fits === 'boolean' ? fits : await fits)) return undefined;
  const turn = progress.turns + 1;
  emit({ type: 'turn-start', step, turn, offerTools });
  const { value, replayed } = await run.task({
    id: `${step}/${turn}/turn`,
    kind: 'turn',
    input: { turn, messages: window.messages, offerTools, asked: progress.asked },
  });
  if (value.message) window.push(value.message);
  if (value.usage) window.measure(value.contextTokens ?? totalTokens(value.usage));
  const text = value.message?.content ?? '';
  const calls = value.calls.length;
  const usage = value.usage ? { usage: value.usage } : undefined;
  const isReply = value.message !== undefined;
  const used = usageOf(loop, { usage: value.usage, isReply }, () => window.estimate());
  progress.addTurn({ text, calls, at: value.at, usage: used });
  emit(marked({ type: 'turn-end', step, turn, text, calls, ...usage }, replayed));
  return value;
}

async function answer(loop: Loop, outcome: TurnOutcome, closedBy?: StopCondition): Promise<CallAnswers> {
  const { progress, request } = loop;
  const spent = closedBy ?? metCondition(loop, 'final');
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
      withdrawReviews: request.withdrawReviews,
      ...reviewDeadline(progress.now, request.limits),
      runnable: request.limits.maxCalls - (progress.calls - outcome.calls.length),
      limit: request.limits.maxCalls,
      ...(spent ? { spent: spent.reason } : undefined),
    },
    outcome.calls,
  );
  if (answers.approvalUnavailable) progress.approvalUnavailable = true;
  progress.now = Math.max(progress.now, answers.at);
  progress.addResults(answers.records, answers.trace);
  return answers;
}

/** After a limit that allows it, the agent sums up without tools; calls it still writes are answered, not run. */
async function endOnLimit(loop: Loop, condition: StopCondition): Promise<StepState> {
  const { progress, request } = loop;
  if (!condition.lastTurn || request.isCancelled()) return progress.finish(condition.reason);
  const outcome = await askAgent(loop, false);
  if (outcome && isAnswer(outcome)) progress.exchanges += 1;
  if (outcome && outcome.calls.length > 0) {
    const answers = await answer(loop, outcome, condition);
    loop.window.push({ role: 'tool', results: answers.injected });
  }
  // The limit is why it ended; a last turn that could not be had is why nothing is summed up.
  return progress.finish(condition.reason, outcome?.failure);
}

/** Whether a reply ends an exchange: it is whole, and calls nothing. */
function isAnswer({ message, calls }: TurnOutcome): boolean {
  return message !== undefined && !message.cutOff && calls.length === 0;
}

/** A reply that was cut off is not the agent's answer, only the beginning of one. */
function afterReply(loop: Loop, { content, cutOff, cutReason }: AssistantMessage): TurnEnd {
  if (cutOff) return { ended: loop.progress.finish('error', cutOffFailure(cutReason)) };
  const move = moveAfter(loop, content);
  return move.kind === 'end' ? { ended: endBy(loop, move) } : { next: move };
}

/** A provider that failed because time ran out or the run was cancelled is not a failed provider; one that answered is. */
function endOnFailure(loop: Loop, outcome: TurnOutcome): StepState {
  const limit = outcome.usage ? undefined : metCondition(loop);
  return limit ? loop.progress.finish(limit.reason) : loop.progress.finish('error', outcome.failure);
}
