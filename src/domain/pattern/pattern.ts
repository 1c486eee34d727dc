/** What a pattern looks for at one place of a text. */
export type Assertion = 'start' | 'end' | 'line-start' | 'line-end' | 'word-edge' | 'no-word-edge';

/** A pattern as it is written, read into its parts. */
export type PatternNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'character'; readonly test: (code: number) => boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

/** One step of a compiled pattern; numbers are positions in the program. */
export type Instruction =
  | { readonly op: 'character'; readonly test: (code: number) => boolean }
  | { readonly op: 'assertion'; readonly assertion: Assertion }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'match' };

export type Pattern = readonly Instruction[];

export function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
  );
}
