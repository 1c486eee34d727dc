import { CLOSING_QUOTES, isBlankCode } from './json-walker.js';

const CLOSING: Readonly<Record<string, string>> = { '`': '`', ...CLOSING_QUOTES };
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const COMMENT_ENDS: Readonly<Record<string, string>> = { '/': '\n', '*': '*/' };
/** A path whose backslashes are not escaped, so that none of those behind is an escape either. */
const WINDOWS_PATH = /[A-Za-z]:\\(?![\\/"])/y;
const BLANK = /\s{0,128}/y;
/** A member that follows a comma; without one the quote before the comma was part of the text. */
const NEXT_MEMBER = new RegExp(
  [
    String.raw`\s{0,128}(?:\}|$|\/[/*]`,
    ...Object.entries(CLOSING).map(
      ([open, close]) => String.raw`${open}(?:[^${close}\\\n]|\\.){0,256}(?:${close}\s{0,128}(?::|$)|$)`,
    ),
    String.raw`[A-Za-z_$][\w$.-]{0,128}\s{0,128}(?::|$))`,
  ].join('|'),
  'y',
);
const NEXT_ITEM = /\s{0,128}(?:["'`\u201c\u201d\u2018\u2019[{\]\d-]|true|false|null|True|False|None|$)/y;

/** The string half of the mender: quotes of all kinds, and the question which quote ends the string. */
export class MendString {
  readonly fixes = new Set<string>();
  readonly unquoted = new Set<string>();
  protected readonly path: (string | number)[] = [];
  protected cutPath: readonly (string | number)[] | undefined;

  constructor(
    protected readonly text: string,
    protected at: number,
  ) {}

  /** Blanks and comments. */
  protected skipBlanks(): void {
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (isBlankCode(code)) {
        if (!/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.fixes.add('blank that JSON does not know');
        this.at += 1;
      } else if (!this.#skipComment()) return;
    }
  }

  #skipComment(): boolean {
    if (this.text[this.at] !== '/') return false;
    const closing = COMMENT_ENDS[this.text[this.at + 1] ?? ''];
    if (closing === undefined) return false;
    const end = this.text.indexOf(closing, this.at + 2);
    this.at = end < 0 ? this.text.length : end + closing.length;
    this.fixes.add('comment');
    return true;
  }

  protected isQuote(char: string): boolean {
    return Object.hasOwn(CLOSING, char);
  }

  /** Notes that the text ended inside the value that is being read. */
  protected cut(): void {
    this.cutPath = [...this.path];
  }

  protected string(role: 'key' | 'value'): string {
    const opening = this.text[this.at] ?? '"';
    const closing = CLOSING[opening] ?? '"';
    if (opening !== '"') this.fixes.add(opening === "'" ? 'single quotes' : 'foreign quotes');
    const pieces: string[] = [];
    let from = this.at + 1;
    const isPath = matchesAt(WINDOWS_PATH, this.text, from);
    for (;;) {
      const stop = this.#nextStop(from, closing, role);
      pieces.push(this.text.slice(from, stop));
      this.at = stop + 1;
      if (this.text[stop] !== '\\') break;
      pieces.push(this.#escape(stop, isPath));
      from = stop + 1 + this.#escapeLength(stop, isPath);
    }
    if (this.at > this.text.length) this.cut();
    this.at = Math.min(this.at, this.text.length);
    return pieces.join('');
  }

  /** The next backslash or the quote that ends the string; the text's end without either. */
  #nextStop(from: number, closing: string, role: 'key' | 'value'): number {
    for (let index = from; index < this.text.length; index += 1) {
      const char = this.text[index] ?? '';
      if (char === '\\' || (char === closing && this.#ends(index, role))) return index;
      if (char < ' ') this.fixes.add('raw line break or control character in a string');
    }
    return this.text.length;
  }

  #escape(index: number, isPath: boolean): string {
    if (isPath) return this.#separator(index);
    const next = this.text[index + 1] ?? '';
    const known = ESCAPES[next];
    if (known !== undefined && Object.hasOwn(ESCAPES, next)) return known;
    const unicode = next === 'u' ? /^[0-9a-fA-F]{4}$/.exec(this.text.slice(index + 2, index + 6)) : null;
    if (unicode) return String.fromCharCode(Number.parseInt(unicode[0], 16));
    if (next !== '') this.fixes.add('invalid escape');
    // `\d` in a pattern means the two characters; a quote that needed no escape means the quote.
    return this.isQuote(next) ? next : `\\${next}`;
  }

  /** The backslash between two folders, which nobody has escaped. */
  #separator(index: number): string {
    const next = this.text[index + 1] ?? '';
    this.fixes.add('invalid escape');
    return next === '\\' || next === '"' ? next : `\\${next}`;
  }

  #escapeLength(index: number, isPath: boolean): number {
    const isUnicode =
      !isPath &&
      this.text[index + 1] === 'u' &&
      /^[0-9a-fA-F]{4}$/.test(this.text.slice(index + 2, index + 6));
    return isUnicode ? 5 : 1;
  }

  /** Whether the quote at `index` ends the string, judged by what follows: models forget to escape inner quotes. */
  #ends(index: number, role: 'key' | 'value'): boolean {
    BLANK.lastIndex = index + 1;
    const after = index + 1 + (BLANK.exec(this.text)?.[0].length ?? 0);
    const next = this.text[after];
    const ends = next === undefined || (role === 'key' ? next === ':' : this.#endsValue(next, after));
    if (!ends) this.fixes.add('unescaped quote in a string');
    return ends;
  }

  #endsValue(next: string, after: number): boolean {
    const inArray = typeof this.path.at(-1) === 'number';
    if (next === '}' || next === ']') return true;
    if (next === '/') return /[/*]/.test(this.text[after + 1] ?? '');
    if (next !== ',') return !inArray && matchesAt(NEXT_MEMBER, this.text, after);
    return (
      matchesAt(NEXT_MEMBER, this.text, after + 1) || (inArray && matchesAt(NEXT_ITEM, this.text, after + 1))
    );
  }
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
