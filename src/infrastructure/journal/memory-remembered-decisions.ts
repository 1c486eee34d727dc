import { randomBytes } from 'node:crypto';
import type {
  NewDecision,
  RememberedDecision,
  RememberedDecisions,
  RememberedRead,
} from '../../ports/remembered-decisions.js';

/** Decisions that are gone with the process, as its runs are. */
export class MemoryRememberedDecisions implements RememberedDecisions {
  #decisions: readonly RememberedDecision[] = [];

  async read(): Promise<RememberedRead> {
    return { decisions: this.#decisions };
  }

  async add(decision: NewDecision): Promise<RememberedDecision> {
    const added = { ...decision, id: randomBytes(4).toString('hex') };
    this.#decisions = [...this.#decisions, added];
    return added;
  }

  async revoke(id: string): Promise<boolean> {
    const before = this.#decisions.length;
    this.#decisions = this.#decisions.filter((one) => one.id !== id);
    return this.#decisions.length < before;
  }
}
