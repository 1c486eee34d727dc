import type { Effect, PreparedCall } from '../domain/effect.js';
import type { InjectedResult } from '../domain/message.js';
import type { CallRecord } from '../domain/step-state.js';
import { failedResult, type ToolResult } from '../domain/tool-result.js';
import type { Performed } from '../ports/durable-run.js';
import type { CallBatch, SettledCall } from './call-batch.js';
import { marked } from './events.js';
import type { TurnTrace } from './progress.js';
import { settleCalls } from './settle-calls.js';

export interface CallAnswers {
  readonly records: readonly CallRecord[];
  /** What the agent gets to read, in the order of its calls. */
  readonly injected: readonly InjectedResult[];
  readonly trace: TurnTrace;
  /** When the last call ended; 0 if none ran. */
  readonly at: number;
  readonly stop: 'aborted' | 'cancelled' | undefined;
  readonly approvalUnavailable: boolean;
}

/** Answers every call exactly once: first all decisions, then all that may run; results keep the order of calls. */
export async function answerCalls(batch: CallBatch, calls: readonly PreparedCall[]): Promise<CallAnswers> {
  const settling = settleCalls(batch, calls);
  const { settled, stop } = settling instanceof Promise ? await settling : settling;
  emitRefusals(batch, settled);
  const performed = await runSettled(batch, settled);
  const records = recordsOf(settled, performed);
  return {
    records,
    injected: records.map(injectedResult),
    trace: { keys: calls.map(traceKey), outputs: records.map(({ result }) => result.output) },
    at: performed.reduce((latest, { value }) => Math.max(latest, value.at), 0),
    stop,
    approvalUnavailable: records.some(({ result }) => isUnanswered(result)),
  };
}

/** Whether an approval was needed that nobody gave or refused. */
function isUnanswered({ error }: ToolResult): boolean {
  return error?.code === 'EXECUTION.APPROVAL.UNAVAILABLE' || error?.code === 'EXECUTION.APPROVAL.TIMED_OUT';
}

function runSettled(
  batch: CallBatch,
  settled: readonly SettledCall[],
): Promise<readonly Performed<'call'>[]> {
  const effects: Effect<'call'>[] = [];
  for (const one of settled) if (one.kind === 'run') effects.push(one.effect);
  if (effects.length === 0) return Promise.resolve([]);
  const { emit, step } = batch;
  return batch.run.all(effects, {
    maxParallel: batch.maxParallel,
    isExclusive: ({ input }) => batch.isExclusive(input.tool),
    onStart: ({ input: { callId, tool, arguments: args } }, replayed) =>
      emit(marked({ type: 'call-start', step, callId, tool, arguments: args }, replayed)),
    onEnd: ({ input: { callId, tool } }, { value: { result }, replayed }) =>
      emit(marked({ type: 'call-end', step, callId, tool, result }, replayed)),
  });
}

function emitRefusals({ emit, step }: CallBatch, settled: readonly SettledCall[]): void {
  for (const one of settled) {
    if (one.kind === 'run') continue;
    emit({ type: 'call-end', step, callId: one.call.id, tool: one.call.tool, result: one.result });
  }
}

/** Puts what ran and what was refused back into the order of the calls. */
function recordsOf(settled: readonly SettledCall[], performed: readonly Performed<'call'>[]): CallRecord[] {
  let next = 0;
  return settled.map((one) => {
    const { id, tool, arguments: args } = one.call;
    if (one.kind === 'refused') return { id, tool, arguments: args, result: one.result };
    const result = performed[next++]?.value.result ?? failedResult(LOST);
    return { id, tool, arguments: args, result: one.note ? withNote(result, one.note) : result };
  });
}

const LOST = { code: 'SYSTEM.INTERNAL.BUG', message: 'The call was started but gave no outcome.' } as const;

function withNote(result: ToolResult, note: string): ToolResult {
  return { ...result, output: `${note}\n${result.output}` };
}

function injectedResult({ id, tool, result }: CallRecord): InjectedResult {
  return { callId: id, tool, output: resultText(result), isError: !result.success };
}

/** What the model reads: a failure leads with what went wrong, then whatever output there was. */
function resultText({ output, error }: ToolResult): string {
  if (!error || output.includes(error.message)) return output;
  return output === '' ? error.message : `${error.message}\n${output}`;
}

/** Equal for calls that ask for the same thing. */
function traceKey(prepared: PreparedCall): string {
  if (prepared.verdict !== 'refuse') return prepared.planHash;
  return `${prepared.call.tool} ${JSON.stringify(prepared.call.arguments)}`;
}
