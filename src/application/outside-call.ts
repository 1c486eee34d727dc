import type { Json } from '../domain/json.js';
import type { CallRecord } from '../domain/step-state.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { JournalSession } from '../ports/run-journal.js';

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

/** How many places earlier processes of this run have used: a place is never used twice. */
export function placesTaken({ records }: JournalSession, step: string): number {
  const prefix = `${step}/`;
  const ids = records.flatMap((record) => {
    if (record.type === 'intent') return record.effects.map(({ id }) => id);
    return record.type === 'outcome' ? [record.id] : [];
  });
  const numbers = ids
    .filter((id) => id.startsWith(prefix))
    .map((id) => Number.parseInt(id.slice(prefix.length), 10));
  return numbers.reduce((most, number) => Math.max(most, number || 0), 0);
}
