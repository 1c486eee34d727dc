import { ExpressionError } from '../expression/expression-error.js';
import { anyOf, between, CONTROLS, ignoringCase, not, SHORTHANDS } from './character-class.js';
import type { Assertion, PatternNode } from './pattern.js';

type CodeTest = (code: number) => boolean;

const MAX_DEPTH = 50;
const MAX_REPEAT = 200;
const REPEAT = /\{(\d{1,5})(?:(,)(\d{1,5})?)?\}/y;
const FLAGS = /^\(\?([ims]+)\)/;
const BACKSLASH = 92;
const EMPTY: PatternNode = { kind: 'empty' };

/**
 * Reads a pattern of the kind that Go takes: no look-around and no references back, which are what lets a text
 * keep a matcher busy for ever. `offset` is where the pattern stands, for messages.
 */
export function parsePattern(source: string, offset: number): PatternNode {
  const flags = FLAGS.exec(source);
  return new PatternParser(source, offset, { at: flags?.[0].length ?? 0, flags: flags?.[1] ?? '' }).whole();
}

class PatternParser {
  #at: number;
  #depth = 0;
  readonly #flags: string;

  constructor(
    private readonly source: string,
    private readonly offset: number,
    start: { readonly at: number; readonly flags: string },
  ) {
    this.#at = start.at;
    this.#flags = start.flags;
  }

  whole(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.source.length) throw this.#problem('this ")" closes nothing');
    return node;
  }

  #choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return branches.length === 1 ? (branches[0] ?? EMPTY) : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && !'|)'.includes(this.#character)) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): PatternNode {
    let part = this.#atom();
    for (let times = this.#times(); times; times = this.#times()) {
      part = { kind: 'repeat', part, ...times };
      // Lazy or greedy, a text matches or it does not.
      this.#take('?');
    }
    return part;
  }

  #times(): { readonly min: number; readonly max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#take('?')) return { min: 0, max: 1 };
    REPEAT.lastIndex = this.#at;
    const counted = REPEAT.exec(this.source);
    if (!counted) return undefined;
    const min = Number(counted[1]);
    const open = counted[2] === undefined ? min : Number.POSITIVE_INFINITY;
    const max = counted[3] === undefined ? open : Number(counted[3]);
    const most = max === Number.POSITIVE_INFINITY ? min : max;
    if (min > max || most > MAX_REPEAT) {
      throw this.#problem(`${counted[0]} is not a count from 0 to ${MAX_REPEAT}`);
    }
    this.#at += counted[0].length;
    return { min, max };
  }

  #atom(): PatternNode {
    const character = this.#character;
    if (character === '(') return this.#group();
    if (character === '[') return this.#set(this.#class());
    if (character === '\\') return this.#escape();
    if ('*+?'.includes(character)) throw this.#problem(`"${character}" repeats nothing`);
    this.#at += character.length;
    if (character === '.') {
      return { kind: 'character', test: this.#flags.includes('s') ? () => true : (code) => code !== 10 };
    }
    if (character === '^') return this.#edge('start');
    if (character === '$') return this.#edge('end');
    return this.#set(literal(character));
  }

  #edge(edge: 'start' | 'end'): PatternNode {
    const assertion: Assertion = this.#flags.includes('m') ? `line-${edge}` : edge;
    return { kind: 'assertion', assertion };
  }

  #group(): PatternNode {
    const opened = this.#at;
    const head = /\((?:\?:|\?P?<\w+>)?/y;
    head.lastIndex = opened;
    this.#at += head.exec(this.source)?.[0].length ?? 1;
    if (this.#character === '?')
      throw this.#problem('look-around and flags inside a pattern are not known here');
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw this.#problem(`nested deeper than ${MAX_DEPTH} levels`);
    const node = this.#choice();
    this.#depth -= 1;
    if (this.#take(')')) return node;
    this.#at = opened;
    throw this.#problem('this "(" is never closed');
  }

  #escape(): PatternNode {
    const { next } = this;
    if (next === 'b' || next === 'B') {
      this.#at += 2;
      return { kind: 'assertion', assertion: next === 'b' ? 'word-edge' : 'no-word-edge' };
    }
    if (next === 'A' || next === 'z') {
      this.#at += 2;
      return { kind: 'assertion', assertion: next === 'A' ? 'start' : 'end' };
    }
    return this.#set(this.#escapedTest());
  }

  get next(): string {
    return this.source.slice(this.#at + 1, this.#at + 2);
  }

  /** What a backslash and the character after it stand for, in a class or outside of one. */
  #escapedTest(): CodeTest {
    const { next } = this;
    const shorthand = SHORTHANDS.get(next);
    const control = CONTROLS.get(next);
    if (!shorthand && control === undefined && /^[A-Za-z0-9]?$/.test(next)) {
      throw this.#problem(`\\${next} is not known here`);
    }
    this.#at += 1;
    const character = this.#character;
    this.#at += character.length;
    return shorthand ?? (control === undefined ? literal(character) : between(control, control));
  }

  #class(): CodeTest {
    const opened = this.#at;
    this.#at += 1;
    const isNegated = this.#take('^');
    const tests: CodeTest[] = [];
    do {
      if (this.#at >= this.source.length) {
        this.#at = opened;
        throw this.#problem('this "[" is never closed');
      }
      tests.push(this.#classPart());
    } while (!this.#take(']'));
    const test = anyOf(tests);
    const cased = this.#flags.includes('i') ? ignoringCase(test) : test;
    return isNegated ? not(cased) : cased;
  }

  #classPart(): CodeTest {
    if (this.#character === '\\') return this.#escapedTest();
    const first = this.#classCode();
    if (this.#character !== '-' || this.next === ']' || this.next === '') return between(first, first);
    this.#at += 1;
    const last = this.#classCode();
    if (last === BACKSLASH) throw this.#problem('a range ends with a plain character');
    if (last < first) throw this.#problem('this range runs backwards');
    return between(first, last);
  }

  #classCode(): number {
    const character = this.#character;
    this.#at += character.length;
    return character.codePointAt(0) ?? 0;
  }

  #set(test: CodeTest): PatternNode {
    return { kind: 'character', test: this.#flags.includes('i') ? ignoringCase(test) : test };
  }

  get #character(): string {
    const code = this.source.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #take(character: string): boolean {
    if (this.#character !== character) return false;
    this.#at += 1;
    return true;
  }

  #problem(message: string): ExpressionError {
    return new ExpressionError(`in the pattern: ${message}`, this.offset + this.#at);
  }
}

function literal(character: string): CodeTest {
  const code = character.codePointAt(0);
  return (other) => other === code;
}
