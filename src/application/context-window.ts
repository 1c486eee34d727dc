import type { ContextStrategy } from '../domain/conversation.js';
import type { Message } from '../domain/message.js';
import type { Weighed } from './context-units.js';
import { type Cut, cutContext } from './cut-context.js';
import { cutToTokens, estimateTokens } from './estimate-tokens.js';
import { joinUsers, type UserMessage, withJoinedUsers } from './join-users.js';

export interface WindowOptions {
  readonly maxTokens?: number;
  readonly strategy?: ContextStrategy;
}

/** Cut before the limit is met: the reply needs room too. */
const NEAR = 0.9;
const TARGET = 0.7;

/**
 * What the agent gets to see of a step's history, with no two messages of the user in a row. Each message is weighed once, when it comes; what the provider
 * counts corrects the sum. Without a limit nothing is weighed at all.
 */
export class ContextWindow {
  #messages: Message[] = [];
  #weighed: Weighed[] = [];
  #estimated = 0;
  /** How many messages that is, where nobody but a limit on tokens asks. */
  #estimatedMessages = 0;
  /** What the provider counted beyond the estimates: tools, and what the estimates got wrong. */
  #correction = 0;
  /** What stands for messages that were left out; not one of the history's own. */
  #note: UserMessage | undefined;
  #dropped = 0;

  constructor(
    messages: readonly Message[],
    private readonly options: WindowOptions = {},
  ) {
    for (const message of messages) this.push(message);
  }

  /** Only ever grows, until a cut replaces it by another list. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get tokens(): number {
    // A provider that does not count what it had cached must not make a history look empty.
    return Math.max(this.#estimated + this.#correction, this.#estimated / 2);
  }

  /** What was said, one message for each time that somebody spoke: what another step goes on from. */
  get history(): readonly Message[] {
    return this.options.maxTokens === undefined
      ? this.#messages
      : this.#weighed.map(({ message }) => message);
  }

  push(message: Message): void {
    const last = this.#messages.at(-1);
    // Another list: whoever has seen this one relies on what was in it.
    if (last?.role === 'user' && message.role === 'user')
      this.#messages = [...this.#messages.slice(0, -1), joinUsers(last, message)];
    else this.#messages.push(message);
    if (this.options.maxTokens === undefined) return;
    const tokens = estimateTokens(message);
    this.#weighed.push({ message, tokens });
    this.#estimated += tokens;
  }

  /** About how many tokens are in the window now, also without a limit; each message is weighed once, and only if asked. */
  estimate(): number {
    if (this.options.maxTokens !== undefined) return this.tokens;
    for (const message of this.#messages.slice(this.#estimatedMessages))
      this.#estimated += estimateTokens(message);
    this.#estimatedMessages = this.#messages.length;
    return this.#estimated;
  }

  /** Takes the provider's word for everything that is in the window now. */
  measure(tokens: number): void {
    if (this.options.maxTokens !== undefined && tokens > 0) this.#correction = tokens - this.#estimated;
  }

  /** Whether the next request fits, does not fit whatever is left out, or which messages to leave out. */
  check(): 'fits' | 'full' | Cut {
    const { maxTokens, strategy } = this.options;
    if (maxTokens === undefined) return 'fits';
    if (!strategy) return this.tokens > maxTokens ? 'full' : 'fits';
    if (this.tokens <= maxTokens * NEAR) return 'fits';
    const own = this.#weighed.filter(({ message }) => message !== this.#note);
    const room = { limit: this.#room(1), target: this.#room(TARGET) - this.#noteRoom };
    const cut = cutContext(strategy, own, room);
    if (!cut) return 'full';
    const isOver = this.tokens > maxTokens;
    if (cut.dropped.length > 0 || (isOver && this.#note)) return cut;
    return isOver ? 'full' : 'fits';
  }

  /** What a summary of these must cover: an earlier summary is summed up again. */
  toSummarize({ dropped }: Cut): readonly Message[] {
    return this.#note ? [this.#note, ...dropped] : dropped;
  }

  /** How many tokens a summary may have. */
  get summaryTokens(): number {
    return Math.max(16, Math.floor((this.options.maxTokens ?? 0) / 8));
  }

  /** Leaves the messages out, and says so in their place. */
  apply(cut: Cut, summary?: string): void {
    this.#dropped += cut.dropped.length;
    const before = this.#estimated;
    const words = this.#noteText(summary);
    const kept = [...cut.before, ...cut.after];
    const sum = kept.reduce((total, { tokens }) => total + tokens, 0);
    const note = words === undefined ? [] : fitting(words, this.#room(1) - sum);
    this.#note = note[0]?.message;
    this.#weighed = [...cut.before, ...note, ...cut.after];
    this.#messages = withJoinedUsers(this.#weighed.map(({ message }) => message));
    this.#estimated = sum + (note[0]?.tokens ?? 0);
    // Estimates that were too high were so in proportion to what they estimated.
    if (this.#correction < 0 && before > 0) this.#correction *= this.#estimated / before;
  }

  /** A share of the limit, in estimated tokens: what is fixed goes off it, and estimates that are too high count less. */
  #room(share: number): number {
    const limit = (this.options.maxTokens ?? 0) * share;
    return this.#correction > 0
      ? limit - this.#correction
      : limit * (this.#estimated / (this.tokens || 1) || 1);
  }

  get #noteRoom(): number {
    const { strategy } = this.options;
    if (strategy === 'sliding_window') return 0;
    return strategy === 'summarize' ? this.summaryTokens + NOTE_TOKENS : NOTE_TOKENS;
  }

  #noteText(summary: string | undefined): string | undefined {
    if (summary !== undefined) return `[Summary of ${this.#dropped} earlier messages]\n${summary}`;
    // An old summary is better than none, where a new one could not be had.
    if (this.options.strategy === 'summarize' && this.#note) return this.#note.content;
    // What slides out of a window is gone; a hole in the middle would read as if there were none.
    if (this.options.strategy === 'sliding_window') return undefined;
    return `[${this.#dropped} messages were left out here]`;
  }
}

const NOTE_TOKENS = 24;

/** A note that fits into what room is left, or none. */
function fitting(text: string, room: number): { readonly message: UserMessage; readonly tokens: number }[] {
  const content = cutToTokens(text, room - NOTE_TOKENS / 2);
  if (content === '') return [];
  const message: UserMessage = { role: 'user', content };
  const tokens = estimateTokens(message);
  return tokens <= room ? [{ message, tokens }] : [];
}
