/** Where a walk stands: it needs more text, the value has ended, or the text is no JSON from here on. */
export type WalkStatus = 'more' | 'done' | 'broken';

type Expect = 'value' | 'key' | 'colon' | 'comma';

/** What ends a string, by what opens it. Typographic quotes come from models that write JSON as they write prose. */
export const CLOSING_QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u2018': '\u2019',
  '\u2019': '\u2019',
};
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;

/**
 * Finds the end of one JSON object or array in text that comes in pieces, looking at each character once and keeping
 * none. It accepts what models write in place of JSON (single quotes, bare keys and words, trailing commas, line breaks
 * in strings), so that whatever it calls done can be parsed or mended; every other mistake is `broken` at once.
 */
export class JsonWalker {
  status: WalkStatus = 'more';
  /** Offset of the last string's opening quote: a break may mean that this quote opened no string. */
  lastString = -1;
  /** Offset behind the last object or array that stands in the outermost one. */
  elementEnd = -1;
  #expect: Expect = 'value';
  #isObject: boolean[] = [];
  #quote = 0;
  #escaped = false;
  #inWord = false;

  get inString(): boolean {
    return this.#quote !== 0;
  }

  /** Walks on from `from` and returns the index where it stopped; `base` is the offset of `text[0]`. */
  walk(text: string, from: number, base: number): number {
    let index = from;
    while (index < text.length && this.status === 'more') {
      if (this.#quote !== 0) index = this.#walkString(text, index);
      else index = this.#walkStructure(text, index, base);
    }
    return index;
  }

  /** Jumps from quote to quote: strings are where long arguments are. */
  #walkString(text: string, from: number): number {
    const floor = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    const quote = text.indexOf(String.fromCharCode(this.#quote), floor);
    const end = quote < 0 ? text.length : quote;
    const escaped = countBackslashes(text, floor, end) % 2 === 1;
    if (quote < 0) {
      this.#escaped = escaped;
      return text.length;
    }
    if (!escaped) this.#quote = 0;
    return quote + 1;
  }

  #walkStructure(text: string, from: number, base: number): number {
    let index = from;
    while (index < text.length && this.#quote === 0) {
      this.#character(text.charCodeAt(index), base + index);
      if (this.status === 'broken') return index;
      index += 1;
      if (this.status === 'done') return index;
    }
    return index;
  }

  #character(code: number, offset: number): void {
    if (isWordCode(code)) {
      this.#word();
      return;
    }
    this.#inWord = false;
    const closing = closingQuote(code);
    if (closing !== 0) this.#openString(closing, offset);
    else if (!isBlankCode(code)) this.#punctuation(code, offset);
  }

  #word(): void {
    if (this.#inWord) return;
    this.#inWord = true;
    this.#scalar();
  }

  #openString(closing: number, offset: number): void {
    this.#scalar();
    if (this.status === 'broken') return;
    this.#quote = closing;
    this.lastString = offset;
  }

  #scalar(): void {
    if (this.#expect === 'key') this.#expect = 'colon';
    else if (this.#expect === 'value') this.#expect = 'comma';
    else this.status = 'broken';
  }

  #punctuation(code: number, offset: number): void {
    if (code === 0x7b || code === 0x5b) this.#open(code === 0x7b);
    else if (code === 0x7d || code === 0x5d) this.#close(code === 0x7d, offset);
    else if (code === 0x3a && this.#expect === 'colon') this.#expect = 'value';
    else if (code === 0x2c && this.#expect === 'comma')
      this.#expect = this.#isObject.at(-1) ? 'key' : 'value';
    else this.status = 'broken';
  }

  #open(isObject: boolean): void {
    if (this.#expect !== 'value') {
      this.status = 'broken';
      return;
    }
    this.#isObject.push(isObject);
    this.#expect = isObject ? 'key' : 'value';
  }

  #close(isObject: boolean, offset: number): void {
    const mayClose = this.#expect === 'comma' || this.#expect === (isObject ? 'key' : 'value');
    if (!mayClose || this.#isObject.at(-1) !== isObject) {
      this.status = 'broken';
      return;
    }
    this.#isObject.pop();
    this.#expect = 'comma';
    if (this.#isObject.length === 1) this.elementEnd = offset + 1;
    if (this.#isObject.length === 0) this.status = 'done';
  }
}

/** What ends the string that this character opens; 0 when it opens none. */
function closingQuote(code: number): number {
  if (code === QUOTE || code === APOSTROPHE) return code;
  if (code < 0x2018 || code > 0x201d) return 0;
  return CLOSING_QUOTES[String.fromCharCode(code)]?.charCodeAt(0) ?? 0;
}

function countBackslashes(text: string, floor: number, end: number): number {
  let index = end;
  while (index > floor && text.charCodeAt(index - 1) === BACKSLASH) index -= 1;
  return end - index;
}

/** Letters, digits and what numbers are made of: `12`, `-1.5e+3`, `true`, `None`, a bare key. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x24
  );
}

export function isBlankCode(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0xfeff;
}
