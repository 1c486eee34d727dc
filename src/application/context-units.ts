import type { Message } from '../domain/message.js';

/** A message with what it weighs. */
export interface Weighed {
  readonly message: Message;
  readonly tokens: number;
}

/** Messages that stay together or go together: a reply is never parted from the results of its calls. */
export interface Unit {
  readonly messages: readonly Weighed[];
  readonly tokens: number;
}

/** A history as the strategies see it. */
export interface Units {
  /** The system prompt and the first thing the agent was told: these always stay. */
  readonly pinned: Unit;
  /** Whole exchanges between the first message and the last thing the agent was told. */
  readonly earlier: readonly Unit[];
  /** The last thing the agent was told, where that is not the first; it always stays. */
  readonly current: Unit;
  /** What the agent has done about it since: replies with their results. */
  readonly since: readonly Unit[];
}

/** Takes a history apart where it may be cut. */
export function unitsOf(history: readonly Weighed[]): Units {
  const first = history.findIndex(({ message }) => message.role !== 'system');
  const pinnedEnd = first < 0 ? history.length : first + (history[first]?.message.role === 'user' ? 1 : 0);
  const lastUser = history.findLastIndex(({ message }) => message.role === 'user');
  const told = Math.max(lastUser, pinnedEnd);
  const hasCurrent = lastUser >= pinnedEnd;
  return {
    pinned: unit(history.slice(0, pinnedEnd)),
    earlier: hasCurrent ? split(history.slice(pinnedEnd, told), beginsExchange) : [],
    current: unit(hasCurrent ? history.slice(told, told + 1) : []),
    since: split(history.slice(hasCurrent ? told + 1 : pinnedEnd), isNoResult),
  };
}

export function unit(messages: readonly Weighed[]): Unit {
  return { messages, tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0) };
}

function beginsExchange({ role }: Message): boolean {
  return role === 'user';
}

function isNoResult({ role }: Message): boolean {
  return role !== 'tool';
}

function split(history: readonly Weighed[], begins: (message: Message) => boolean): Unit[] {
  const parts: Weighed[][] = [];
  for (const one of history) {
    const last = parts.at(-1);
    if (last && !begins(one.message)) last.push(one);
    else parts.push([one]);
  }
  return parts.map(unit);
}
