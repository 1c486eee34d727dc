/** One argument word: fixed text, and `$1`-style parameters where a constant script has some. */
export type ShellWord = readonly (string | { readonly parameter: number })[];

/** What stands between two simple commands. */
type ShellOperator = ';' | '&&' | '||' | '|';

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** What comes after it; absent on the last. */
  readonly operator?: ShellOperator;
}

/** A command line is either understood to the last character, or it is not understood at all. */
export type ShellReading =
  | { readonly ok: true; readonly commands: readonly ShellCommand[] }
  | { readonly ok: false; readonly problem: string; readonly offset: number };

export interface ReadOptions {
  /** Whether `"$1"` may stand for an argument, as in a person's own script. */
  readonly parameters: boolean;
}

const MAX_LENGTH = 128 * 1024;
const MAX_COMMANDS = 256;

// Whatever is not listed may mean something to some shell, so it has to be quoted.
const BARE = /[\p{L}\p{N}\p{M}_@%+:,./=^-]/u;
const BLANK = /[ \t]/;
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029\p{Surrogate}]/u;

const MEANINGS: Readonly<Record<string, string>> = {
  $: 'expansion ("$")',
  '`': 'command substitution ("`")',
  '\\': 'a backslash outside of quotes',
  '>': 'a redirection (">"; both output streams are captured anyway)',
  '<': 'a redirection ("<")',
  '&': 'a background command ("&")',
  '(': 'a subshell or function ("(")',
  ')': 'a subshell or function (")")',
  '{': 'a group or brace expansion ("{"; quote it if it is text)',
  '}': 'a group or brace expansion ("}"; quote it if it is text)',
  '*': 'an unquoted pattern ("*"; quote it, or name the files)',
  '?': 'an unquoted pattern ("?"; quote it, or name the files)',
  '[': 'an unquoted pattern ("["; quote it, or name the files)',
  ']': 'an unquoted pattern ("]"; quote it, or name the files)',
  '~': 'a home directory ("~")',
  '#': 'a comment ("#"; quote it if it is text)',
  '!': 'a negation or history reference ("!"; quote it if it is text)',
};

/**
 * Reads the small part of the shell's language that every shell reads alike: words, '…', "…", and the operators
 * `;`, `&&`, `||`, `|` and newline. Everything else is refused, never guessed at.
 */
export function readShell(source: string, options: ReadOptions): ShellReading {
  try {
    return { ok: true, commands: new Reader(source, options).read() };
  } catch (error) {
    if (error instanceof NotUnderstood) return { ok: false, problem: error.message, offset: error.offset };
    throw error;
  }
}

class NotUnderstood extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

class Reader {
  #at = 0;

  constructor(
    readonly source: string,
    readonly options: ReadOptions,
  ) {}

  read(): ShellCommand[] {
    this.#refuseOddities();
    const commands: ShellCommand[] = [];
    this.#skipBlank(/[ \t\n]/);
    while (this.#at < this.source.length) {
      if (commands.length === MAX_COMMANDS) this.#fail(`more than ${MAX_COMMANDS} commands`);
      commands.push(this.#readCommand());
    }
    this.#checkEnd(commands);
    return commands;
  }

  #refuseOddities(): void {
    if (this.source.length > MAX_LENGTH) this.#fail(`more than ${MAX_LENGTH} characters`);
    const odd = FORBIDDEN.exec(this.source);
    if (odd) {
      this.#at = odd.index;
      this.#fail(`the character ${codePoint(odd[0])}`);
    }
  }

  #checkEnd(commands: readonly ShellCommand[]): void {
    const last = commands.at(-1);
    if (!last) this.#fail('an empty command');
    if (last?.operator && last.operator !== ';') this.#fail(`nothing after "${last.operator}"`);
  }

  #readCommand(): ShellCommand {
    const words: ShellWord[] = [];
    this.#skipBlank(BLANK);
    let operator = this.#readOperator();
    while (operator === undefined && this.#at < this.source.length) {
      words.push(this.#readWord());
      this.#skipBlank(BLANK);
      operator = this.#readOperator();
    }
    if (words.length === 0) this.#fail(operator ? `nothing before "${operator}"` : 'an empty command');
    return operator ? { words, operator } : { words };
  }

  #readOperator(): ShellOperator | undefined {
    const found = /^(?:&&|\|\||[;|\n])/.exec(this.source.slice(this.#at, this.#at + 2))?.[0];
    if (found === undefined) return undefined;
    const rest = this.source[this.#at + found.length];
    if (rest === '&' || (rest === ';' && found === ';')) this.#fail(`the operator "${found}${rest}"`);
    this.#at += found.length;
    // Line ends after an operator only continue the line; several in a row are one.
    this.#skipBlank(/[ \t\n]/);
    return found === '\n' ? ';' : (found as ShellOperator);
  }

  #readWord(): ShellWord {
    const parts: ShellWord[number][] = [];
    while (this.#at < this.source.length) {
      const character = this.#peek();
      if (BLANK.test(character) || /[;|&\n]/.test(character)) break;
      if (character === "'") parts.push(this.#readSingleQuoted());
      else if (character === '"') parts.push(...this.#readDoubleQuoted());
      else parts.push(this.#readBare(parts));
    }
    if (parts.length === 0) this.#fail(MEANINGS[this.#peek()] ?? `the character ${codePoint(this.#peek())}`);
    return mergeText(parts);
  }

  #readBare(before: ShellWord): string {
    const start = this.#at;
    while (this.#at < this.source.length && this.#isBare(before, start)) this.#at += this.#peek().length;
    if (this.#at === start) {
      this.#fail(MEANINGS[this.#peek()] ?? `the character ${codePoint(this.#peek())}; quote it`);
    }
    return this.source.slice(start, this.#at);
  }

  /** A tilde inside of a word is text (`HEAD~1`); at its start it is somebody's home. */
  #isBare(before: ShellWord, start: number): boolean {
    const character = this.#peek();
    if (character !== '~') return BARE.test(character);
    return before.length === 0 && this.#at > start && /[A-Za-z0-9^]/.test(this.source[this.#at - 1] ?? '');
  }

  #readSingleQuoted(): string {
    const end = this.source.indexOf("'", this.#at + 1);
    if (end < 0) this.#fail("a ' that is never closed");
    const text = this.source.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #readDoubleQuoted(): ShellWord {
    const parts: ShellWord[number][] = [];
    const opened = this.#at;
    this.#at += 1;
    for (;;) {
      const plain = /[^"$`\\]*/y;
      plain.lastIndex = this.#at;
      parts.push(plain.exec(this.source)?.[0] ?? '');
      this.#at = plain.lastIndex;
      if (this.#at >= this.source.length) {
        this.#at = opened;
        this.#fail('a " that is never closed');
      }
      if (this.#peek() === '"') break;
      parts.push(this.#readSpecial());
    }
    this.#at += 1;
    return parts;
  }

  /** Inside "…": a parameter where those are allowed, or a backslash that every shell keeps as it stands. */
  #readSpecial(): ShellWord[number] {
    const rest = this.source.slice(this.#at, this.#at + 8);
    const parameter = this.options.parameters
      ? /^\$(?:([1-9])(?![0-9])|\{([1-9][0-9]{0,3})\})/.exec(rest)
      : null;
    if (parameter) {
      this.#at += parameter[0].length;
      return { parameter: Number(parameter[1] ?? parameter[2]) };
    }
    if (!/^\\[^$`"\\\n]/.test(rest)) this.#fail(`${MEANINGS[rest[0] ?? ''] ?? 'an escape'} inside of "…"`);
    this.#at += 1;
    return '\\';
  }

  #peek(): string {
    const point = this.source.codePointAt(this.#at);
    return point === undefined ? '' : String.fromCodePoint(point);
  }

  #skipBlank(blank: RegExp): void {
    while (blank.test(this.source[this.#at] ?? '')) this.#at += 1;
  }

  #fail(problem: string): never {
    throw new NotUnderstood(problem, this.#at);
  }
}

/** Neighbouring text is one text; an empty word stays a word. */
function mergeText(parts: ShellWord): ShellWord {
  const merged: ShellWord[number][] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else if (part !== '' || merged.length === 0) merged.push(part);
  }
  return merged;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
