import type { ContextStrategy } from '../domain/conversation.js';
import type { Message } from '../domain/message.js';
import { type Unit, type Units, unit, unitsOf, type Weighed } from './context-units.js';

/** What stays of a history and what goes; whatever is put in place of what goes belongs between the two that stay. */
export interface Cut {
  readonly before: readonly Weighed[];
  readonly after: readonly Weighed[];
  readonly dropped: readonly Message[];
}

/** How much of a history may stay. */
export interface Room {
  /** Nothing longer than this may be sent. */
  readonly limit: number;
  /** A cut goes down to this, so that not every turn needs another one. */
  readonly target: number;
}

/** A part of the room for the beginning of a history that is cut in the middle. */
const HEAD_SHARE = 1 / 3;

/** Cuts a history down. Nothing when even what must stay is longer than the limit. */
export function cutContext(
  strategy: ContextStrategy,
  history: readonly Weighed[],
  room: Room,
): Cut | undefined {
  const units = unitsOf(history);
  const { pinned, current, since } = units;
  const newest = since.at(-1);
  const needed = pinned.tokens + current.tokens + (newest?.tokens ?? 0);
  if (needed > room.limit) return undefined;
  const free = Math.max(0, room.target - needed);
  const head = strategy === 'truncate_middle' ? headOf(units.earlier, free) : [];
  const rest = { ...units, earlier: units.earlier.slice(head.length) };
  return assemble(units, head, newestThatFit(rest, free - unit(head.flatMap(messagesOf)).tokens));
}

/** The beginning of a history: its share of the room, and in any case the first exchange where that fits at all. */
function headOf(earlier: readonly Unit[], free: number): Unit[] {
  const head = taken(earlier, free * HEAD_SHARE);
  return head.length > 0 ? head : taken(earlier.slice(0, 1), free);
}

/** Of the current exchange as much as fits, newest first; then of the exchanges before it. */
function newestThatFit({ earlier, since }: Units, free: number): { earlier: Unit[]; since: Unit[] } {
  const work = taken(since.slice(0, -1).reverse(), free).reverse();
  const left = free - work.reduce((sum, { tokens }) => sum + tokens, 0);
  const isWhole = work.length === Math.max(0, since.length - 1);
  // A history with a gap in its newest part would be worse than a short one.
  const exchanges = isWhole ? taken([...earlier].reverse(), left).reverse() : [];
  return { earlier: exchanges, since: [...work, ...since.slice(-1)] };
}

/** Units from the first on, as long as they fit. */
function taken(units: readonly Unit[], free: number): Unit[] {
  let left = free;
  const end = units.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return units.slice(0, end < 0 ? units.length : end);
}

function assemble(units: Units, head: readonly Unit[], tail: { earlier: Unit[]; since: Unit[] }): Cut {
  const before = [units.pinned, ...head].flatMap(messagesOf);
  const after = [...tail.earlier, units.current, ...tail.since].flatMap(messagesOf);
  const kept = new Set([...before, ...after].map(({ message }) => message));
  const all = [...units.earlier, ...units.since].flatMap(messagesOf);
  return {
    before,
    after,
    dropped: all.map(({ message }) => message).filter((message) => !kept.has(message)),
  };
}

function messagesOf({ messages }: Unit): readonly Weighed[] {
  return messages;
}
