import type { Json } from '../types.js';
import type { PathStep } from './json-path.js';

/**
 * Writes values that come with their paths as one JSON text, piece by piece. It can do so as long as they come in the
 * order of the text; from the first that does not, it is silent.
 */
export class PartialJson {
  /** The containers that are open, and the step last taken in each. */
  readonly #open: PathStep[] = [];
  readonly #entered = new Set<string>();
  #isString = false;
  #isSilent = false;
  #started = false;

  open(steps: readonly PathStep[], value: Json): string {
    const shared = this.#shared(steps);
    if (this.#isSilent || !this.#isNext(steps, shared)) return this.#silence();
    const closing = this.#started ? `${this.#closeDown(shared)},` : '{';
    this.#started = true;
    const opening = steps.slice(shared).map((_, index) => this.#enter(steps, shared + index));
    this.#isString = typeof value === 'string';
    const text = JSON.stringify(value);
    return closing + opening.join('') + (this.#isString ? text.slice(0, -1) : text);
  }

  goOn(steps: readonly PathStep[], piece: string): string {
    const isHere = steps.length === this.#open.length && this.#shared(steps) === steps.length;
    if (!isHere || !this.#isString) return piece === '' ? '' : this.#silence();
    return this.#isSilent ? '' : JSON.stringify(piece).slice(1, -1);
  }

  close(): string {
    if (this.#isSilent || !this.#started) return '';
    return `${this.#closeDown(0)}}`;
  }

  #silence(): string {
    this.#isSilent = true;
    return '';
  }

  /** How many steps lead to where the last value stands. */
  #shared(steps: readonly PathStep[]): number {
    let count = 0;
    while (count < steps.length && count < this.#open.length && steps[count] === this.#open[count])
      count += 1;
    return count;
  }

  /** Whether the step behind the shared ones is the next in its container: a new name, or the next index. */
  #isNext(steps: readonly PathStep[], shared: number): boolean {
    const step = steps[shared];
    if (step === undefined || (this.#started && shared === this.#open.length)) return false;
    const before = steps.slice(0, shared);
    if (this.#entered.has(keyOf([...before, step]))) return false;
    if (typeof step === 'string') return true;
    return shared > 0 && (step === 0 || this.#entered.has(keyOf([...before, step - 1])));
  }

  #enter(steps: readonly PathStep[], depth: number): string {
    const step = steps[depth] ?? '';
    this.#open.push(step);
    this.#entered.add(keyOf(steps.slice(0, depth + 1)));
    return (typeof step === 'string' ? `${JSON.stringify(step)}:` : '') + bracketFor(steps[depth + 1]);
  }

  /** Closes everything below the container that step number `depth` is taken in. */
  #closeDown(depth: number): string {
    let text = this.#isString ? '"' : '';
    this.#isString = false;
    while (this.#open.length > depth) {
      const step = this.#open.pop();
      if (this.#open.length > depth) text += typeof step === 'number' ? ']' : '}';
    }
    return text;
  }
}

function keyOf(steps: readonly PathStep[]): string {
  return JSON.stringify(steps);
}

function bracketFor(next: PathStep | undefined): string {
  if (next === undefined) return '';
  return typeof next === 'number' ? '[' : '{';
}
