import type { Json } from '../../domain/json.js';
import type { Secret } from '../../ports/run-journal.js';

/** Shorter values are ordinary words as often as secrets, and hide nothing worth hiding. */
const SHORTEST = 4;

/** Takes secret values out of what is written and puts them back into what is read. */
export class SecretVault {
  readonly #secrets: readonly Secret[];
  readonly #open: string;

  constructor(secrets: readonly Secret[], nonce: string) {
    // Longest first: a secret that contains another must go as a whole.
    this.#secrets = secrets
      .filter(({ value }) => value.length >= SHORTEST)
      .sort((left, right) => right.value.length - left.value.length);
    this.#open = `\u27e6secret:${nonce}:`;
  }

  seal(value: Json): Json {
    return this.#secrets.length === 0 ? value : mapStrings(value, (text) => this.#sealText(text));
  }

  /** Gives the value back with its secrets in place; `onUnknown` says what stands for one that is not at hand. */
  unseal(value: Json, onUnknown: (name: string) => string): Json {
    return mapStrings(value, (text) =>
      text.includes(this.#open) ? this.#unsealText(text, onUnknown) : text,
    );
  }

  #sealText(text: string): string {
    // Most texts, and nearly all keys, are too short to hold one.
    if (text.length < (this.#secrets.at(-1)?.value.length ?? 0)) return text;
    return this.#secrets.reduce(
      (sealed, { name, value }) => sealed.replaceAll(value, () => `${this.#open}${name}\u27e7`),
      text,
    );
  }

  #unsealText(text: string, onUnknown: (name: string) => string): string {
    const [head = '', ...rest] = text.split(this.#open);
    const filled = rest.map((part) => {
      const end = part.indexOf('\u27e7');
      const name = part.slice(0, end);
      const known = this.#secrets.find((secret) => secret.name === name)?.value;
      return (known ?? onUnknown(name)) + part.slice(end + 1);
    });
    return head + filled.join('');
  }
}

function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member: Json) => mapStrings(member, change));
  if (typeof value !== 'object' || value === null) return value;
  // Keys too: a model may put anything there.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), mapStrings(member, change)]),
  );
}
