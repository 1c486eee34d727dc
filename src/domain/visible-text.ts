/**
 * What a reader cannot see, or what moves the reader's cursor: controls, escape sequences' first byte, bidi and
 * zero-width characters, tags, variation selectors, line separators, half characters, unassigned ones, spaces
 * that are no space, and marks piled on marks.
 */
const INVISIBLE =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

export interface VisibleOptions {
  /** Keeps line feeds and tabs; without it a text stays on its line. */
  readonly multiline?: boolean;
}

/** A text as it may be shown to a person: whatever hides, moves or reorders is spelled out as `\u{1b}`. */
export function toVisible(text: string, options: VisibleOptions = {}): string {
  if (PRINTABLE_ASCII.test(text) && !text.includes('\\u{')) return text;
  return (
    text
      // A backslash that would read as one of our own escapes is spelled out as well, so that none is forged.
      .replace(/\\(?=u\{)/g, '\\u{5c}')
      .replace(INVISIBLE, (character) =>
        options.multiline && (character === '\n' || character === '\t') ? character : spelledOut(character),
      )
  );
}

/** The same characters as JSON escapes: for JSON text, which means the same afterwards and is safe to print. */
export function escapeInvisibleJson(json: string): string {
  if (PRINTABLE_ASCII.test(json)) return json;
  return json.replace(INVISIBLE, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Whether a word mixes alphabets that look alike, as `раypal` does: Latin with Cyrillic, Greek and their kin. */
export function hasMixedScripts(text: string): boolean {
  if (ASCII.test(text)) return false;
  for (const [word] of text.matchAll(WORD)) {
    if (!ASCII.test(word) && LOOKALIKES.filter((script) => script.test(word)).length > 1) return true;
  }
  return false;
}

const ASCII = /^[\x00-\x7f]*$/;
// In pieces: an unbounded match of a very long word overflows the engine's stack.
const WORD = /[\p{L}\p{M}\p{N}_]{1,256}/gu;
const LOOKALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

function spelledOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
