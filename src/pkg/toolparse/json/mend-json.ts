import type { Json } from '../types.js';
import { MendString } from './mend-string.js';
import { setOwn, tryParse } from './own.js';
import { REPEATED_KEY } from './repeated-keys.js';

/** A value read out of broken JSON, and all that one must know to trust it or not. */
export interface Mended {
  readonly value: Json;
  /** Index after the value. */
  readonly end: number;
  /** What was done, in words, each once. */
  readonly fixes: readonly string[];
  /** Containers that were still open when the text ended. */
  readonly openDepth: number;
  /** Where the text ended in the middle of a string or word. */
  readonly cutPath?: readonly (string | number)[];
  /** Keys whose value was a word without quotes: placeholders such as `tool_name` look like this. */
  readonly unquoted: readonly string[];
}

/** What mending calls brackets that close nothing. */
export const SURPLUS_BRACKETS = 'surplus closing brackets';

/** Deeper nesting than this is no tool call, and recursion must end before the stack does. */
const MAX_DEPTH = 200;

const LITERALS = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const FOREIGN_LITERALS = new Map<string, Json>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['undefined', null],
  ['NaN', null],
]);
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$.-]*/uy;
const BARE_VALUE = /[^,{}[\]\n\r"]+/y;

/** What was done, and that brackets behind the value were left out, if there are any. */
export function fixesOf({ fixes, end }: Mended, text: string): readonly string[] {
  return /[}\])]/.test(text.slice(end)) ? [...fixes, SURPLUS_BRACKETS] : fixes;
}

/** Reads the value at `from`, mending what models get wrong. Only for text that JSON.parse has refused. */
export function mendJson(text: string, from = 0): Mended | undefined {
  const mender = new Mender(text, from);
  try {
    const value = mender.value(0);
    return value === undefined ? undefined : mender.result(value);
  } catch {
    // Not only NotJson: a pattern that runs out of stack on absurd input is the same answer.
    return undefined;
  }
}

/** The same for text whose quotes are escaped once too often, all or from some place on: `{\"a\": 1}`. */
export function mendEscaped(text: string): Mended | undefined {
  if (!/[{[,:]\s{0,64}\\"/.test(text)) return undefined;
  const value = tryParse(text.replace(/\\(["\\])/g, '$1'));
  if (value === undefined) return undefined;
  return { value, end: text.length, fixes: ['escaped quotes'], openDepth: 0, unquoted: [] };
}

class NotJson extends Error {}

class Mender extends MendString {
  #openDepth = 0;
  #openArrays = 0;

  value(depth: number): Json | undefined {
    this.skipBlanks();
    if (depth > MAX_DEPTH) throw new NotJson();
    const char = this.text[this.at];
    if (char === undefined) return undefined;
    if (char === '{') return this.#doubled(depth) ?? this.#object(depth);
    if (char === '[') return this.#array(depth);
    return this.isQuote(char) ? this.string('value') : this.#word();
  }

  result(value: Json): Mended {
    const cut = this.cutPath === undefined ? {} : { cutPath: this.cutPath };
    if (this.#openDepth > 0) this.fixes.add('missing closing brackets');
    return {
      value,
      end: this.at,
      fixes: [...this.fixes],
      openDepth: this.#openDepth,
      unquoted: [...this.unquoted],
      ...cut,
    };
  }

  /** `{{…}}`, which is how a prompt's template writes a brace. */
  #doubled(depth: number): Json | undefined {
    if (this.text[this.at + 1] !== '{') return undefined;
    this.at += 1;
    this.fixes.add('doubled braces');
    const object = this.value(depth + 1);
    this.skipBlanks();
    if (this.text[this.at] === '}') this.at += 1;
    return object;
  }

  #object(depth: number): Json {
    const object: Record<string, Json> = {};
    this.at += 1;
    while (!this.#closes('}')) {
      const key = this.#key();
      if (key === undefined) break;
      this.path.push(key);
      const value = this.value(depth + 1);
      this.path.pop();
      if (value === undefined) break;
      if (Object.hasOwn(object, key)) this.fixes.add(REPEATED_KEY);
      setOwn(object, key, value);
      this.#comma('}');
    }
    return object;
  }

  #array(depth: number): Json {
    const items: Json[] = [];
    this.at += 1;
    this.#openArrays += 1;
    while (!this.#closes(']')) {
      this.path.push(items.length);
      const value = this.value(depth + 1);
      this.path.pop();
      if (value === undefined) break;
      items.push(value);
      this.#comma(']');
    }
    this.#openArrays -= 1;
    return items;
  }

  /** Whether the container ends here: at its bracket, at the text's end, or at a bracket that only its parent can own. */
  #closes(bracket: '}' | ']'): boolean {
    this.skipBlanks();
    const char = this.text[this.at];
    if (char === bracket) {
      this.at += 1;
      return true;
    }
    if (char === undefined) {
      this.#openDepth += 1;
      return true;
    }
    const foreign = bracket === '}' ? ']' : '}';
    if (char !== foreign) return false;
    if (bracket === '}' && this.#openArrays === 0) throw new NotJson();
    this.fixes.add('missing closing brackets');
    return true;
  }

  #comma(bracket: '}' | ']'): void {
    this.skipBlanks();
    if (this.text[this.at] === ',') {
      this.at += 1;
      this.skipBlanks();
      if (this.text[this.at] === bracket) this.fixes.add('trailing comma');
      return;
    }
    const char = this.text[this.at];
    if (char !== undefined && char !== '}' && char !== ']') this.fixes.add('missing comma');
  }

  /** The next key with its colon; undefined when the text ends before the colon. */
  #key(): string | undefined {
    const key = this.#keyText();
    this.skipBlanks();
    const char = this.text[this.at];
    if (char === undefined) {
      this.#openDepth += 1;
      return undefined;
    }
    if (char !== ':') throw new NotJson();
    this.at += 1;
    this.skipBlanks();
    if (this.at < this.text.length) return key;
    this.#openDepth += 1;
    return undefined;
  }

  #keyText(): string {
    if (this.isQuote(this.text[this.at] ?? '')) return this.string('key');
    BARE_KEY.lastIndex = this.at;
    const match = BARE_KEY.exec(this.text);
    if (!match) throw new NotJson();
    this.at += match[0].length;
    this.fixes.add('unquoted key');
    return match[0];
  }

  #word(): Json {
    BARE_VALUE.lastIndex = this.at;
    const raw = BARE_VALUE.exec(this.text)?.[0] ?? '';
    this.at += raw.length;
    if (this.at >= this.text.length) this.cut();
    return this.#scalar(raw.trim());
  }

  #scalar(word: string): Json {
    const literal = LITERALS.get(word);
    if (literal !== undefined) return literal;
    const foreign = FOREIGN_LITERALS.get(word);
    if (foreign !== undefined) {
      this.fixes.add('Python or JavaScript literal');
      return foreign;
    }
    if (NUMBER.test(word) && Number.isFinite(Number(word))) return this.#number(word);
    // `...` stands for something left out: a sketch of a call, not a call.
    if (!/[\p{L}\p{N}]/u.test(word) || word.startsWith('...')) throw new NotJson();
    this.fixes.add('unquoted value');
    this.unquoted.add(String(this.path.at(-1) ?? ''));
    return word;
  }

  #number(word: string): number {
    if (!JSON_NUMBER.test(word)) this.fixes.add('number that JSON does not know');
    return Number(word);
  }
}
