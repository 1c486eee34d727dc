import type { Json } from '../domain/json.js';
import type { CallRecord } from '../domain/step-state.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { JournalSession } from '../ports/run-journal.js';
import type { Emit } from './events.js';

/** A call as somebody else's loop makes it. */
export interface OutsideCall {
  readonly tool: string;
  readonly arguments: Json;
  /** The caller's own name for it; one is made if it is left out. */
  readonly id?: string;
}

/** Who waits for a call. */
export interface OutsideCaller {
  /** Fires when nobody waits any more: a question about the call is withdrawn, and what it started is ended. */
  readonly signal: AbortSignal;
  /** The name a person who is asked gets to read. */
  readonly agent?: string;
  /** Progress that the tool reports. */
  readonly onLog?: (message: string) => void;
}

export interface AnsweredCall {
  readonly record: CallRecord;
  /** What the model reads: a failure leads with what went wrong. */
  readonly text: string;
}

/** Somebody who makes calls and is never asked for any. */
export function callerOf({ agent = 'client' }: OutsideCaller): AgentProvider {
  return { name: agent, complete: () => Promise.reject(new Error(`${agent} is not asked: it calls`)) };
}

/** The places that calls of earlier processes of this run have, in their order: a place is never used twice. */
export function placesTaken({ records }: Pick<JournalSession, 'records'>, step: string): readonly number[] {
  const places = records.flatMap((record) => (record.type === 'outcome' ? [placeOf(record.id, step)] : []));
  return [...new Set(places.filter((place) => place > 0))].sort((left, right) => left - right);
}

/** Every call begins with an outcome at `step/3/1/ask`. */
function placeOf(effectId: string, step: string): number {
  if (!effectId.startsWith(`${step}/`)) return 0;
  const [, number] = /^(\d+)\/1\/ask$/.exec(effectId.slice(step.length + 1)) ?? [];
  return Number(number ?? 0);
}

/** Tells whoever waits for a call what its tool reports, beside everybody else. */
export function loggingTo({ onLog }: OutsideCaller, emit: Emit): Emit {
  if (!onLog) return emit;
  return (event) => {
    emit(event);
    if (event.type === 'call-log') onLog(event.message);
  };
}
