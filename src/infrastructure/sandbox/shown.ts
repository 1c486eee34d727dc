const MAX_SHOWN = 200;

/** A text in quotes for a message; of a long one the start, and how long it is. */
export function shown(text: string): string {
  return text.length <= MAX_SHOWN
    ? `"${text}"`
    : `"${text.slice(0, MAX_SHOWN)}…" (${text.length} characters)`;
}
