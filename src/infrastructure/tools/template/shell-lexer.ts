import { skipExpansion } from './shell-expansion.js';
import {
  type Piece,
  type Quote,
  TemplateProblem,
  type Token,
  UnfinishedTemplate,
  type Word,
} from './shell-word.js';
import { HOLE } from './template-source.js';

const OPERATOR = /&&|\|\||;;|[;&|()\n]/y;
const REDIRECT = /[0-9]*(?:<<<|<<-?|<>|<&|>&|>>|>\||<|>)/y;
const WORD_END = /[ \t\n;&|()<>]/;
const PLAIN = /[^ \t\n;&|()<>'"\\$`\0]+/y;
const QUOTED_PLAIN = /[^"\\$`\0]+/y;

/**
 * Cuts a template's flat text into words and operators as a POSIX shell would. Throws a TemplateProblem at what
 * it does not know, so that nothing is filled into a place that was misread.
 */
export function tokenize(text: string): readonly Token[] {
  return new Lexer(text).tokens();
}

class Lexer {
  #at = 0;
  #holes = 0;
  #pieces: Piece[] = [];
  readonly #tokens: Token[] = [];

  constructor(private readonly text: string) {}

  tokens(): readonly Token[] {
    while (this.#at < this.text.length) this.#token();
    return this.#tokens;
  }

  #token(): void {
    const start = this.#at;
    const character = this.text[start] ?? '';
    if (character === ' ' || character === '\t') this.#at++;
    else if (this.text.startsWith('\\\n', start)) this.#at += 2;
    else if (character === '#') this.#comment();
    else if (this.#redirect(start) || this.#operator(start)) return;
    else this.#tokens.push({ kind: 'word', word: this.#word(start) });
  }

  #comment(): void {
    const end = this.text.indexOf('\n', this.#at);
    const comment = this.text.slice(this.#at, end < 0 ? undefined : end);
    const hole = comment.indexOf(HOLE);
    if (hole >= 0)
      throw new TemplateProblem('it is in a comment', this.#at + hole, 'take it out of the comment');
    this.#tokens.push({ kind: 'operator', text: '#', start: this.#at });
    this.#at += comment.length;
  }

  #redirect(start: number): boolean {
    const text = this.#match(REDIRECT);
    if (text === undefined) return false;
    if (text.includes('<<') && !text.includes('<<<')) {
      throw new TemplateProblem('a here-document cannot be filled safely', start, 'keep such text in a file');
    }
    if (this.text[this.#at] === '(') {
      throw new TemplateProblem('a process substitution is not known to every shell', start, 'use a pipe');
    }
    this.#tokens.push({ kind: 'redirect', text, start });
    return true;
  }

  #operator(start: number): boolean {
    const text = this.#match(OPERATOR);
    if (text !== undefined) this.#tokens.push({ kind: 'operator', text, start });
    return text !== undefined;
  }

  #word(start: number): Word {
    this.#pieces = [];
    while (this.#at < this.text.length && !WORD_END.test(this.text[this.#at] ?? '')) this.#piece();
    return { start, end: this.#at, pieces: this.#pieces };
  }

  #piece(): void {
    const character = this.text[this.#at];
    if (character === "'") this.#singleQuoted();
    else if (character === '"') this.#doubleQuoted();
    else if (character === '\\') this.#escaped();
    else if (character === HOLE) this.#value('none');
    else if (character === '$' || character === '`') this.#expansion('none');
    else this.#push(this.#match(PLAIN) ?? '', 'none');
  }

  #singleQuoted(): void {
    const end = this.text.indexOf("'", this.#at + 1);
    if (end < 0) throw new UnfinishedTemplate("a ' is never closed", this.#at, 'close it');
    // An empty text keeps an empty word a word.
    this.#push('', 'single');
    this.#at++;
    while (this.#at < end) {
      if (this.text[this.#at] === HOLE) this.#value('single');
      else {
        const hole = this.text.indexOf(HOLE, this.#at);
        const stop = hole < 0 ? end : Math.min(hole, end);
        this.#push(this.text.slice(this.#at, stop), 'single');
        this.#at = stop;
      }
    }
    this.#at = end + 1;
  }

  #doubleQuoted(): void {
    const start = this.#at;
    this.#push('', 'double');
    this.#at++;
    while (this.text[this.#at] !== '"') {
      if (this.#at >= this.text.length)
        throw new UnfinishedTemplate('a " is never closed', start, 'close it');
      this.#insideDouble(this.text[this.#at] ?? '');
    }
    this.#at++;
  }

  #insideDouble(character: string): void {
    if (character === HOLE) this.#value('double');
    else if (character === '$' || character === '`') this.#expansion('double');
    else if (character === '\\') {
      this.#refuseEscapedValue();
      const next = this.text[this.#at + 1] ?? '';
      // Inside "…" a backslash is special before these only.
      if (next !== '\n') this.#push('$`"\\'.includes(next) ? next : `\\${next}`, 'double');
      this.#at += 2;
    } else this.#push(this.#match(QUOTED_PLAIN) ?? '', 'double');
  }

  #escaped(): void {
    this.#refuseEscapedValue();
    const next = this.text[this.#at + 1];
    if (next === undefined)
      throw new UnfinishedTemplate('the command ends in a backslash', this.#at, 'remove it');
    if (next !== '\n') this.#push(next, 'single');
    this.#at += 2;
  }

  #refuseEscapedValue(): void {
    if (this.text[this.#at + 1] !== HOLE) return;
    throw new TemplateProblem('a backslash stands before it', this.#at + 1, 'remove the backslash');
  }

  #value(quote: Quote): void {
    this.#pieces.push({ kind: 'value', index: this.#holes++, at: this.#at++, quote });
  }

  #expansion(quote: Quote): void {
    const end = skipExpansion(this.text, this.#at, quote);
    const text = this.text.slice(this.#at, end);
    this.#at = end;
    if (text === '$') this.#push(text, quote);
    else this.#pieces.push({ kind: 'expansion', text, quote });
  }

  #push(text: string, quote: Quote): void {
    this.#pieces.push({ kind: 'text', text, quote });
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
