const GLOB_CHARACTERS = /[*?[\]{}()!+@\\]/g;

/** A text of which every character means itself in a pattern. */
export function escapeGlob(text: string): string {
  return text.replace(GLOB_CHARACTERS, '\\$&');
}
