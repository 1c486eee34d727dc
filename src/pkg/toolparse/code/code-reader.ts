import { setOwn } from '../json/own.js';
import type { Json } from '../types.js';
import { CodeStrings, Cut, NotCode } from './code-strings.js';

/** A call as a program writes it. */
interface CodeCall {
  readonly name: string;
  readonly positional: readonly Json[];
  readonly named: { readonly [key: string]: Json };
  readonly repeats: boolean;
}

export interface CodeReading {
  readonly calls: readonly CodeCall[];
  /** What was not Python as it should be, in words. */
  readonly fixes: readonly string[];
  /** False when the text ended inside the last call. */
  readonly complete: boolean;
  /** Index behind the last thing that was read. */
  readonly end: number;
}

const NAME = /[A-Za-z_][\w.-]{0,127}/y;
const NUMBER = /[-+]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?)/y;
const LITERALS = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
]);
const MAX_DEPTH = 100;

/** Reads `[f(a=1), g()]`, `f(a=1)\ng()` or `print(f(a=1))`; undefined when the text is something else. */
export function readCode(text: string): CodeReading | undefined {
  const reader = new CodeReader(text);
  try {
    return reader.program();
  } catch {
    return undefined;
  }
}

class CodeReader extends CodeStrings {
  #isCut = false;

  program(): CodeReading | undefined {
    this.skip();
    const isList = this.take('[');
    const calls: CodeCall[] = [];
    while (!this.isAtEnd() && !this.#isCut) {
      if (isList && this.take(']')) break;
      calls.push(this.#call(0));
      this.skip();
      while (this.take(',') || this.take(';')) this.skip();
    }
    const end = this.at;
    this.skip();
    const isWhole = isList || this.isAtEnd() || /^[\])\s]*$/.test(this.text.slice(this.at, this.at + 64));
    if (!isWhole || calls.length === 0) return undefined;
    return { calls, fixes: [...this.fixes], complete: !this.#isCut, end };
  }

  #call(depth: number): CodeCall {
    this.skip();
    const name = this.match(NAME);
    this.skip();
    if (name === '' || !this.take('(')) throw new NotCode();
    if (name === 'print' && depth === 0 && this.#isCallNext()) return this.#printed();
    const positional: Json[] = [];
    const named: Record<string, Json> = {};
    let repeats = false;
    while (!this.#closes(')')) {
      const key = this.#keyword();
      const value = this.#valueOrCut();
      if (value === undefined) break;
      if (key === undefined) positional.push(value);
      else {
        repeats ||= Object.hasOwn(named, key);
        setOwn(named, key, value);
      }
      this.#comma(')');
      if (this.#isCut) break;
    }
    return { name: name.replace(/\.call$/, ''), positional, named, repeats };
  }

  #printed(): CodeCall {
    const call = this.#call(1);
    this.#closes(')');
    return call;
  }

  #isCallNext(): boolean {
    return /^\s*[A-Za-z_][\w.-]*\s*\(/.test(this.text.slice(this.at, this.at + 200));
  }

  /** The name before `=`, if the next argument has one. */
  #keyword(): string | undefined {
    this.skip();
    const from = this.at;
    const name = this.isQuoteNext() ? '' : this.match(NAME);
    this.skip();
    if (name !== '' && this.text[this.at] === '=' && this.text[this.at + 1] !== '=') {
      this.at += 1;
      return name;
    }
    this.at = from;
    return undefined;
  }

  /** A value; undefined, and the reading cut, when the text ends in it. */
  #valueOrCut(): Json | undefined {
    try {
      return this.#value(0);
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      this.#isCut = true;
      return undefined;
    }
  }

  #value(depth: number): Json {
    this.skip();
    if (depth > MAX_DEPTH) throw new NotCode();
    const char = this.text[this.at];
    if (char === undefined) throw new Cut();
    if (char === '{') return this.#dict(depth);
    if (char === '[' || char === '(') return this.#list(char === '[' ? ']' : ')', depth);
    if (this.isQuoteNext()) return this.strings();
    return this.#scalar();
  }

  #list(close: string, depth: number): Json {
    this.at += 1;
    const items: Json[] = [];
    while (!this.#closes(close)) {
      items.push(this.#value(depth + 1));
      this.#comma(close);
    }
    return items;
  }

  #dict(depth: number): Json {
    this.at += 1;
    const dict: Record<string, Json> = {};
    while (!this.#closes('}')) {
      const key = this.#value(depth + 1);
      this.skip();
      if (this.isAtEnd()) throw new Cut();
      if (!this.take(':') || typeof key === 'object') throw new NotCode();
      setOwn(dict, String(key), this.#value(depth + 1));
      this.#comma('}');
    }
    return dict;
  }

  #scalar(): Json {
    const number = this.match(NUMBER);
    if (number !== '') return toNumber(number);
    const word = this.match(NAME);
    const literal = LITERALS.get(word);
    if (word === '' || literal === undefined) throw new NotCode();
    return literal;
  }

  #closes(bracket: string): boolean {
    this.skip();
    if (this.isAtEnd()) {
      if (bracket !== ')') throw new Cut();
      this.#isCut = true;
      return true;
    }
    return this.take(bracket);
  }

  #comma(bracket: string): void {
    this.skip();
    if (this.take(',') || this.text[this.at] === bracket) return;
    if (!this.isAtEnd()) throw new NotCode();
    if (bracket !== ')') throw new Cut();
    this.#isCut = true;
  }
}

function toNumber(text: string): Json {
  const number = Number(text.replaceAll('_', '').replace(/^\+/, ''));
  return Number.isFinite(number) ? number : text;
}
