import { addUsage, totalTokens, type Usage } from '../../../domain/message.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { type Price, withCost } from './prices.js';

/** What a reply has cost that may take several requests. */
export class SummedUsage {
  #sum: Usage | undefined;
  #last: Usage | undefined;
  #requests = 0;

  constructor(private readonly price: Price | undefined) {}

  /** Each for itself: a price may depend on how long a request is. */
  add(used: Usage | undefined): void {
    this.#requests += 1;
    this.#last = used;
    if (!used) return;
    const cost = withCost(used, this.price);
    this.#sum = this.#sum ? addUsage(this.#sum, cost) : cost;
  }

  /** Of all requests. */
  get sum(): Usage | undefined {
    return this.#sum;
  }

  /** The same as a reply has it: all are paid for, and the last of them is what is in the context. */
  counts(): Pick<AgentReply, 'usage' | 'contextTokens'> {
    if (!this.#sum) return {};
    const contextTokens = this.#last ? totalTokens(this.#last) : 0;
    return this.#requests === 1 ? { usage: this.#sum } : { usage: this.#sum, contextTokens };
  }
}
