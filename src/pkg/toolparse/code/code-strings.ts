const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\n': '',
  '0': '\0',
};
const BLANK = /(?:\s|#[^\n]*(?=\n|$))*/y;
const CODE_POINT = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/;
/** What follows the quote that ends a string. */
const STRING_END = new RegExp(
  [
    String.raw`^\s*(?:$|[)\]}:]`,
    String.raw`,\s*(?:[A-Za-z_][\w.-]*\s*=|["'[{(\d\])}-]|True|False|None|\*|$)`,
    '["\'])',
  ].join('|'),
);

/** The text is no code that could be a call. */
export class NotCode extends Error {}
/** The text ended too early. */
export class Cut extends NotCode {}

/** The half of the code reader that knows strings, blanks and single characters. */
export class CodeStrings {
  protected at = 0;
  protected readonly fixes = new Set<string>();

  constructor(protected readonly text: string) {}

  protected isQuoteNext(): boolean {
    return /^[rRbBfFuU]{0,2}["']/.test(this.text.slice(this.at, this.at + 3));
  }

  /** Strings that stand next to each other are one. */
  protected strings(): string {
    let whole = '';
    do {
      whole += this.#string();
      this.skip();
    } while (this.isQuoteNext());
    return whole;
  }

  #string(): string {
    const isRaw = this.#prefix();
    const quote = this.text[this.at] ?? '"';
    const triple = quote.repeat(3);
    const close = this.text.startsWith(triple, this.at) ? triple : quote;
    this.at += close.length;
    const pieces: string[] = [];
    while (!(this.text.startsWith(close, this.at) && this.#endsString(close))) {
      const char = this.text[this.at];
      if (char === undefined) throw new Cut();
      pieces.push(char === '\\' && !isRaw ? this.#escape() : char);
      this.at += 1;
    }
    this.at += close.length;
    return pieces.join('');
  }

  /** The letters before a string; true when they say that backslashes are just that. */
  #prefix(): boolean {
    const from = this.at;
    while (/[A-Za-z]/.test(this.text[this.at] ?? '')) this.at += 1;
    return /r/i.test(this.text.slice(from, this.at));
  }

  /** Whether the quote here ends the string: models forget to escape those inside. */
  #endsString(close: string): boolean {
    if (close.length === 3) return true;
    const rest = this.text.slice(this.at + 1, this.at + 200);
    const ends = STRING_END.test(rest);
    if (!ends) this.fixes.add('unescaped quote in a string');
    return ends;
  }

  #escape(): string {
    const next = this.text[this.at + 1] ?? '';
    const hex = CODE_POINT.exec(this.text.slice(this.at + 1, this.at + 10));
    if (hex) {
      this.at += hex[0].length;
      const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16);
      return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    }
    if (next === '') throw new Cut();
    this.at += 1;
    if (Object.hasOwn(ESCAPES, next)) return ESCAPES[next] ?? '';
    return /["'\\/]/.test(next) ? next : `\\${next}`;
  }

  protected isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  protected skip(): void {
    this.match(BLANK);
  }

  protected take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  protected match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
