import type { Message } from '../domain/message.js';
import type { RequestedCall } from '../domain/tool-call.js';

/**
 * Gives each call of a step an id that nothing else in its history has. Ids that are missing or used before are ours:
 * parsers, servers and models count anew in each reply, and each step.
 */
export class CallIds {
  readonly #taken = new Set(['']);
  #newest: Message | undefined;

  /** The calls as they are where their ids will do. */
  name(
    calls: readonly RequestedCall[],
    { turn, messages }: { readonly turn: number; readonly messages: readonly Message[] },
  ): readonly RequestedCall[] {
    this.#take(messages);
    let isChanged = false;
    const named = calls.map((call, index) => {
      const isOwn = !this.#taken.has(call.id);
      isChanged ||= !isOwn;
      const id = isOwn ? call.id : this.#freeId(`call_${turn}_${index + 1}`);
      this.#taken.add(id);
      return isOwn ? call : { ...call, id };
    });
    return isChanged ? named : calls;
  }

  /** From the end to what was seen last: a history is read once, however often it is added to. */
  #take(messages: readonly Message[]): void {
    for (let at = messages.length - 1; at >= 0; at -= 1) {
      const message = messages[at];
      if (message === this.#newest) break;
      if (message?.role === 'assistant') for (const { id } of message.calls) this.#taken.add(id);
    }
    this.#newest = messages.at(-1);
  }

  #freeId(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.#taken.has(id); count += 1) id = `${wanted}_${count}`;
    return id;
  }
}
