import type { RawParameter } from './draft.js';

const REFERENCE = /&([A-Za-z_][\w.-]{0,63});/g;
const DECLARATION = /<!ENTITY\s{1,64}(?:%\s{1,64})?([A-Za-z_][\w.-]{0,63})/gi;
/** Longer than the longest declaration that is looked for, so that none is missed where two pieces meet. */
const OVERLAP = 256;

/**
 * The XML entities that a response declares in its text. They are never expanded; a parameter that uses one means
 * either the name or what it stands for, and nobody knows which.
 */
export class DeclaredEntities {
  readonly #names = new Set<string>();
  #read = 0;
  #tail = '';

  /** Whether a parameter uses an entity that the pieces of text so far declare. Each piece is read once. */
  areUsed(parameters: readonly RawParameter[], pieces: readonly string[]): boolean {
    const used = parameters.flatMap(({ text }) =>
      [...text.matchAll(REFERENCE)].map(([, name]) => name ?? ''),
    );
    if (used.length === 0) return false;
    this.#readOn(pieces);
    return used.some((name) => this.#names.has(name));
  }

  #readOn(pieces: readonly string[]): void {
    const text = this.#tail + pieces.slice(this.#read).join('');
    for (const [, name] of text.matchAll(DECLARATION)) if (name) this.#names.add(name);
    this.#read = pieces.length;
    this.#tail = text.slice(-OVERLAP);
  }
}
