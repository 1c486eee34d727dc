import { bareLiteralOf, literalOf, TemplateProblem, type Token, valuesOf, type Word } from './shell-word.js';

/** One simple command of a template: its words without redirections and keywords. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Whether a pipe brings it its input; what a group of commands gets, any of them may read. */
  readonly isPiped: false | 'alone' | 'group';
  /** Files that its output is redirected to. */
  readonly outputs: readonly Word[];
}

export interface ReadCommands {
  readonly commands: readonly SimpleCommand[];
  /** Files of redirections; no value is in them. */
  readonly targets: readonly Word[];
  /** Those that the output of a whole group of commands goes to. */
  readonly groupOutputs: readonly Word[];
  /** One command and nothing a shell is needed for, as far as operators and keywords go. */
  readonly isSingle: boolean;
}

// After these a command follows.
const OPENERS = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{']);
const CLOSERS = new Set(['fi', 'done', 'esac', '}']);
// These have a grammar of their own.
const SPECIAL = new Set(['for', 'select', 'case', 'function', 'coproc', 'in']);

/** Groups tokens into simple commands. Refuses a value where it would be a file that is written or read, or a keyword's. */
export function readCommands(tokens: readonly Token[]): ReadCommands {
  const reader = new CommandReader();
  for (const token of tokens) reader.take(token);
  return reader.end();
}

class CommandReader {
  readonly #commands: SimpleCommand[] = [];
  readonly #targets: Word[] = [];
  readonly #groupOutputs: Word[] = [];
  #words: Word[] = [];
  #outputs: Word[] = [];
  #isPiped: SimpleCommand['isPiped'] = false;
  #hasCommand = false;
  #isSingle = true;
  #redirect: Exclude<Token, { kind: 'word' }> | undefined;
  #lastParenthesis = -2;

  take(token: Token): void {
    if (token.kind === 'word') this.#word(token.word);
    else {
      this.#checkRedirect();
      if (token.kind === 'redirect') this.#redirect = token;
      else this.#operator(token.text, token.start);
      this.#isSingle &&= token.kind === 'operator' && token.text === '\n';
    }
  }

  end(): ReadCommands {
    this.#checkRedirect();
    this.#finish();
    const isSingle = this.#isSingle && this.#commands.length === 1;
    return { commands: this.#commands, targets: this.#targets, groupOutputs: this.#groupOutputs, isSingle };
  }

  #word(word: Word): void {
    if (!this.#redirect) {
      this.#words.push(word);
      return;
    }
    if (isFileOutput(this.#redirect.text, word)) this.#outputs.push(word);
    this.#redirect = undefined;
    this.#targets.push(word);
    const [value] = valuesOf(word);
    if (!value) return;
    const instead = 'name the file in the template, or let the command write it';
    throw new TemplateProblem('it would choose the file of a redirection', value.at, instead);
  }

  #checkRedirect(): void {
    if (!this.#redirect) return;
    throw new TemplateProblem('a redirection has no file', this.#redirect.start, 'name one');
  }

  #operator(text: string, start: number): void {
    if (text === '(') this.#parenthesis(start);
    this.#finish();
    if (text === '|') this.#isPiped = 'alone';
    else if (text === '(' && this.#isPiped) this.#isPiped = 'group';
    // A line may end after a pipe; the command is still to come.
    else if (text !== '\n' || this.#hasCommand) this.#isPiped = false;
    this.#hasCommand = false;
  }

  #parenthesis(start: number): void {
    if (this.#words.length > 0) {
      throw new TemplateProblem('a function or array cannot be filled safely', start, 'use a script file');
    }
    if (this.#lastParenthesis === start - 1) {
      throw new TemplateProblem('"((" is arithmetic to some shells', start, 'use plain commands');
    }
    this.#lastParenthesis = start;
  }

  #finish(): void {
    const words = this.#withoutKeywords(this.#words);
    const isGroup = this.#isPiped && words.length < this.#words.length;
    const isOnlyExec = words.length === 1 && words.every((word) => literalOf(word) === 'exec');
    const outputs = this.#outputs;
    if (words.length > 0) this.#commands.push({ words, isPiped: isGroup ? 'group' : this.#isPiped, outputs });
    if (words.length === 0 || isOnlyExec) this.#groupOutputs.push(...outputs);
    this.#outputs = [];
    this.#hasCommand = this.#words.length > 0;
    this.#words = [];
  }

  #withoutKeywords(words: readonly Word[]): readonly Word[] {
    const [first, ...rest] = words;
    const keyword = first && bareLiteralOf(first);
    if (keyword === undefined) return words;
    if (SPECIAL.has(keyword)) {
      this.#isSingle = false;
      refuseValues(words, keyword);
    }
    if (!OPENERS.has(keyword) && !CLOSERS.has(keyword)) return words;
    this.#isSingle = false;
    return this.#withoutKeywords(rest);
  }
}

/** Whether a redirection writes a file: not to another stream, and not into nothing. */
function isFileOutput(operator: string, target: Word): boolean {
  const name = literalOf(target) ?? '';
  if (!operator.includes('>') || /^\/dev\/(?:null|stdout|stderr)$/.test(name)) return false;
  return !(operator.endsWith('&') && /^(?:\d+|-)$/.test(name));
}

function refuseValues(words: readonly Word[], keyword: string): void {
  const value = words.flatMap(valuesOf)[0];
  if (!value) return;
  throw new TemplateProblem(
    `it would be part of "${keyword}"`,
    value.at,
    'use plain commands, or a script file',
  );
}
