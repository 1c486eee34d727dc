import type { Json } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';

/**
 * The JSON text of messages, each written once. A transcript only grows, so a turn costs what is new in it and
 * the joining of what is old.
 */
export class WireTexts {
  readonly #texts = new WeakMap<Message, string>();

  /** Empty for a message that has no form on the wire. */
  of(message: Message, write: () => Json | undefined): string {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const wire = write();
    const text = wire === undefined ? '' : wireText(wire);
    this.#texts.set(message, text);
    return text;
  }
}

/**
 * The JSON text of a value. Half a character, as a cut output may have at its end, is an escape there that strict
 * servers refuse together with the whole request: it becomes the sign for what is no character.
 */
export function wireText(value: NonNullable<unknown> | null): string {
  const text = JSON.stringify(value);
  // Whole characters are never escaped so. An escaped backslash is passed over as one, with what follows it left alone.
  return text.includes('\\ud')
    ? text.replace(/\\(?:ud[\da-f]{3}|.)/g, (found) => (found.startsWith('\\ud') ? '\ufffd' : found))
    : text;
}

/** A JSON object of members that are JSON text already; those without a text are left out. */
export function objectText(members: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(members).flatMap(([key, text]) =>
    text === undefined ? [] : [`${JSON.stringify(key)}:${text}`],
  );
  return `{${written.join(',')}}`;
}

export function listText(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** Values as the texts that `objectText` takes. */
export function jsonMembers(members: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => [key, value === undefined ? undefined : wireText(value)]),
  );
}
