import { type Assertion, isWordCode, type Pattern } from './pattern.js';

/**
 * Whether a pattern is found anywhere in a text. All ways to match are followed at once, each character is looked at
 * once: so no text, however it is made, takes longer than its length, and a replayed run finds what the first found.
 */
export function matchesPattern(pattern: Pattern, text: string): boolean {
  const search = new Search(pattern, text);
  for (let at = 0; ; ) {
    if (search.enter(at)) return true;
    const code = text.codePointAt(at);
    if (code === undefined) return false;
    search.step(code);
    at += code > 0xffff ? 2 : 1;
  }
}

class Search {
  /** Where the ways that are still open have come to: all of them before the next character is read. */
  #open: number[] = [0];
  #next: number[] = [];
  readonly #seen: Int32Array;

  constructor(
    private readonly pattern: Pattern,
    private readonly text: string,
  ) {
    this.#seen = new Int32Array(pattern.length).fill(-1);
  }

  /** Follows everything that takes no character. True once a way has come to the end. */
  enter(at: number): boolean {
    const stack = this.#open;
    this.#next = [];
    // A match may begin at every place.
    stack.push(0);
    for (let position = stack.pop(); position !== undefined; position = stack.pop()) {
      if (this.#seen[position] === at) continue;
      this.#seen[position] = at;
      if (this.#follow(position, at, stack)) return true;
    }
    return false;
  }

  step(code: number): void {
    const moved: number[] = [];
    for (const position of this.#next) {
      const instruction = this.pattern[position];
      if (instruction?.op === 'character' && instruction.test(code)) moved.push(position + 1);
    }
    this.#open = moved;
  }

  #follow(position: number, at: number, stack: number[]): boolean {
    const instruction = this.pattern[position];
    if (!instruction || instruction.op === 'match') return true;
    if (instruction.op === 'character') this.#next.push(position);
    else if (instruction.op === 'jump') stack.push(instruction.to);
    else if (instruction.op === 'split') stack.push(instruction.second, instruction.first);
    else if (holds(instruction.assertion, this.text, at)) stack.push(position + 1);
    return false;
  }
}

function holds(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'start':
      return at === 0;
    case 'end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text[at - 1] === '\n';
    case 'line-end':
      return at === text.length || text[at] === '\n';
    case 'word-edge':
      return isWord(text, at - 1) !== isWord(text, at);
    case 'no-word-edge':
      return isWord(text, at - 1) === isWord(text, at);
    default:
      throw assertion satisfies never;
  }
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordCode(text.charCodeAt(at));
}
