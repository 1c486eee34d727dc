import { formsOf, type KnownSecret, occurrences } from './redaction.js';

/** Takes secrets out of a text that comes in pieces, where one may end in the middle of a secret. */
export interface PieceRedactor {
  /** What can be shown now; what may be the beginning of a secret is kept back until more has come. */
  push(piece: string): string;
  /** What was kept back, when no more comes. */
  end(): string;
}

/** Hides these values and nothing that only looks like a secret. */
export function createPieceRedactor(
  secrets: readonly KnownSecret[],
  hide: (text: string) => string,
): PieceRedactor {
  const forms = [...new Set(secrets.flatMap(({ value }) => formsOf(value)))];
  let held = '';
  return {
    push(piece) {
      const text = held + piece;
      const end = settledLength(text, forms);
      held = text.slice(end);
      return hide(text.slice(0, end));
    },
    end() {
      const rest = hide(held);
      held = '';
      return rest;
    },
  };
}

/** How far a text holds no part of a secret that its end may have begun. */
function settledLength(text: string, forms: readonly string[]): number {
  const open = Math.max(0, ...forms.map((form) => openLength(text, form)));
  if (open === 0) return text.length;
  // A secret that is whole must not be cut in two because another one begins in its middle.
  const whole = forms.flatMap((form) => occurrences(text, form)).sort((a, b) => b.start - a.start);
  return whole.reduce(
    (end, range) => (range.start < end && range.end > end ? range.start : end),
    text.length - open,
  );
}

/** How many characters at the end of a text are the beginning of this form. */
function openLength(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
