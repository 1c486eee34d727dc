import type { Opener } from '../formats/opener.js';

const NONE: readonly Opener[] = [];

/** Finds the openers that the next two characters leave, in their order. Most places are left with none. */
export class OpenerTable {
  readonly firsts: ReadonlySet<string>;
  readonly #byFirst = new Map<string, readonly Opener[]>();
  readonly #byPair = new Map<string, readonly Opener[]>();

  constructor(openers: readonly Opener[]) {
    const heads = openers.flatMap((opener) => opener.heads ?? []);
    this.firsts = new Set(heads.map((head) => head[0] ?? ''));
    for (const first of this.firsts) {
      this.#byFirst.set(
        first,
        openers.filter((opener) => opener.heads?.some((head) => head.startsWith(first))),
      );
    }
    for (const pair of new Set(heads.filter((head) => head.length === 2))) {
      this.#byPair.set(pair, this.#startingWith(pair));
    }
    for (const first of this.firsts) this.#byPair.set(first, this.#startingWith(first));
  }

  at(text: string, index: number): readonly Opener[] {
    const first = text[index] ?? '';
    if (!this.firsts.has(first)) return NONE;
    const second = text[index + 1];
    if (second === undefined) return this.#byFirst.get(first) ?? NONE;
    return this.#byPair.get(first + second) ?? this.#byPair.get(first) ?? NONE;
  }

  /** Those that a pair leaves; a single character leaves those that begin with no more than it. */
  #startingWith(pair: string): readonly Opener[] {
    const candidates = this.#byFirst.get(pair[0] ?? '') ?? NONE;
    return candidates.filter((opener) => opener.heads?.some((head) => head === pair || head === pair[0]));
  }
}
