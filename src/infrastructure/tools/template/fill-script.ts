import { type Piece, valuesOf } from './shell-word.js';
import type { ValueWord } from './template-safety.js';

export interface FilledScript {
  /** The same text for the same set of given values, whatever they are. */
  readonly script: string;
  readonly args: readonly string[];
}

export interface ScriptValues {
  readonly words: readonly ValueWord[];
  /** Names and texts of all placeholders, in order; one without a text was not given. */
  readonly names: readonly string[];
  readonly texts: readonly (string | undefined)[];
}

/** Turns placeholders into quoted parameters. A word that is only a value which was not given is left out. */
export function fillScript(text: string, { words, names, texts }: ScriptValues): FilledScript {
  const parameters: string[] = [];
  const args: string[] = [];
  const out = new ScriptText(text);
  for (const { word } of words) {
    const values = valuesOf(word);
    if (values.some(({ index }) => texts[index] === undefined)) {
      out.leaveOut(word.start, word.end);
      continue;
    }
    for (const value of values) {
      const name = names[value.index] ?? '';
      if (!parameters.includes(name)) {
        parameters.push(name);
        args.push(texts[value.index] ?? '');
      }
      out.parameter(value, parameters.indexOf(name) + 1);
    }
  }
  return { script: out.end(), args };
}

class ScriptText {
  #script = '';
  #at = 0;

  constructor(private readonly text: string) {}

  leaveOut(start: number, end: number): void {
    this.#copyTo(start);
    this.#at = end;
  }

  parameter({ at, quote }: Extract<Piece, { kind: 'value' }>, number: number): void {
    this.#copyTo(at);
    this.#at = at + 1;
    if (quote === 'double') this.#script += `\${${number}}`;
    else if (quote === 'single') this.#betweenSingleQuotes(number);
    else this.#script += quoted(number);
  }

  /** Closes '…' for the parameter and opens it again; quotes that would be left empty go. */
  #betweenSingleQuotes(number: number): void {
    const opensHere = this.text[this.#at - 2] === "'";
    this.#script = opensHere ? this.#script.slice(0, -1) : `${this.#script}'`;
    this.#script += quoted(number);
    if (this.text[this.#at] === "'") this.#at++;
    else this.#script += "'";
  }

  end(): string {
    this.#copyTo(this.text.length);
    return this.#script;
  }

  #copyTo(end: number): void {
    this.#script += this.text.slice(this.#at, end);
    this.#at = end;
  }
}

function quoted(number: number): string {
  return number < 10 ? `"$${number}"` : `"\${${number}}"`;
}
