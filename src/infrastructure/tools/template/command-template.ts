import { messageOf, ToolgateError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { ProcessCommand } from '../../../ports/sandbox.js';
import type { ValueSource } from './command-rules.js';
import { type FilledScript, fillScript } from './fill-script.js';
import { type ReadCommands, readCommands } from './shell-command.js';
import { tokenize } from './shell-lexer.js';
import {
  isMagic,
  literalOf,
  type Piece,
  TemplateProblem,
  UnfinishedTemplate,
  valuesOf,
  type Word,
} from './shell-word.js';
import { type TemplateScope, type TemplateValue, templateValue } from './template-parameters.js';
import { checkCommands, type OpenValueOf, type ValueWord } from './template-safety.js';
import { HOLE, readTemplateSource, type TemplateSource } from './template-source.js';
import { checkLeadingDash, checkSize, checkValue } from './value-checks.js';

/** A template in which a value could be more than one literal argument, and where it is that. */
export class UnsafeTemplateError extends ToolgateError {
  override readonly name = 'UnsafeTemplateError';
  readonly offset: number | undefined;

  constructor(
    readonly reason: string,
    where?: { readonly place: string; readonly at: number },
  ) {
    super('WORKFLOW.TOOL.UNSAFE_TEMPLATE', where ? `${where.place}: ${reason}` : reason);
    this.offset = where?.at;
  }
}

/** A command that waits for its values. They never become shell text, only arguments. */
export interface CommandTemplate {
  /** Throws a DeniedError for values that no argument can hold, or that would be read as options. */
  fill(args: JsonObject): ProcessCommand;
}

interface Parts {
  readonly source: TemplateSource;
  readonly values: readonly TemplateValue[];
  readonly words: readonly ValueWord[];
  /** The words of a command that needs no shell. */
  readonly argv?: readonly Word[];
}

// Only a shell knows these; most have no program of that name.
const BUILTINS = new Set(
  (
    '. : alias bg builtin cd command declare eval exec exit export fc fg getopts hash jobs let local read readonly ' +
    'return set shift source time times trap type typeset ulimit umask unalias unset wait'
  ).split(' '),
);

/** Compiles a command template once, when it is loaded. Throws where a value could be more than one literal argument. */
export function compileCommandTemplate(command: string, scope: TemplateScope): CommandTemplate {
  const source = readTemplateSource(command);
  if (command.includes(HOLE)) throw unsafe('the command holds a NUL character');
  if (source.text.trim() === '') throw unsafe('the command is empty; write what is to be run');
  const values = source.references.map((reference) => templateValue(reference, scope));
  const parts = analyse(source, values);
  checkFixed(parts);
  return { fill: (args) => fill(parts, args) };
}

function analyse(source: TemplateSource, values: readonly TemplateValue[]): Parts {
  try {
    const read = readCommands(tokenize(source.text));
    const openValue: OpenValueOf = (word, source) =>
      valuesOf(word).find(({ index }) => isOpen(values[index], source));
    const words = values.length === 0 ? [] : checkCommands(read, openValue);
    for (const { word } of words) checkOptional(word, values);
    const argv = argvOf(read);
    return { source, values, words, ...(argv ? { argv } : {}) };
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    // Nothing is filled in, so nothing has to be understood: it is the author's own script.
    if (values.length === 0 && !isBroken(error, source)) return { source, values, words: [] };
    throw unsafe(problemText(error, source), {
      place: source.place(error.offset),
      at: source.sourceOffset(error.offset),
    });
  }
}

/** A quote in a here-document need not be closed; anywhere else the shell would stop there as well. */
function isBroken(problem: TemplateProblem, { text }: TemplateSource): boolean {
  return problem instanceof UnfinishedTemplate && !text.includes('<<');
}

/** The words, if a program can be started with them as they are. */
function argvOf({ commands, isSingle }: ReadCommands): readonly Word[] | undefined {
  const [command] = commands;
  if (!isSingle || !command) return undefined;
  const { words } = command;
  const isPlain = words.every(
    (word) => !isMagic(word) && word.pieces.every(({ kind }) => kind !== 'expansion'),
  );
  const name = words[0] && literalOf(words[0]);
  const isProgram = name !== undefined && name !== '' && !BUILTINS.has(name) && !name.includes('=');
  return isPlain && isProgram ? words : undefined;
}

function isOpen(value: TemplateValue | undefined, source: ValueSource): boolean {
  if (!value || value.isClosed) return false;
  return source === 'anyone' || value.fixed === undefined;
}

function checkOptional(word: Word, values: readonly TemplateValue[]): void {
  if (isOnlyValue(word)) return;
  const optional = valuesOf(word).find(({ index }) => values[index]?.isOptional);
  if (!optional) return;
  const why = 'it is part of a longer word, but its parameter may be missing';
  throw new TemplateProblem(why, optional.at, 'make the parameter required, or give it a default');
}

function isOnlyValue({ pieces }: Word): boolean {
  const filled = pieces.filter((piece) => piece.kind !== 'text' || piece.text !== '');
  return filled.length === 1 && filled[0]?.kind === 'value';
}

/** Inputs and environment are known by now, so what is wrong with them is said by now. */
function checkFixed({ values, words }: Parts): void {
  const texts = values.map(({ fixed }) => fixed);
  const isFixed = ({ word }: ValueWord) => valuesOf(word).every(({ index }) => texts[index] !== undefined);
  try {
    for (const { name, fixed } of values) if (fixed !== undefined) checkValue(name, fixed);
    for (const word of words.filter(isFixed)) checkLeadingDash(word, values, texts);
  } catch (error) {
    throw new ToolgateError('USER.INPUT.INVALID', messageOf(error));
  }
}

function fill({ source, values, words, argv }: Parts, args: JsonObject): ProcessCommand {
  const texts = values.map((value) => value.of(args));
  for (const [index, text] of texts.entries()) {
    if (text !== undefined) checkValue(values[index]?.name ?? '', text);
  }
  const given = words.filter(({ word }) => valuesOf(word).every(({ index }) => texts[index] !== undefined));
  for (const word of given) checkLeadingDash(word, values, texts);
  if (argv) {
    const dropped = new Set(words.filter((word) => !given.includes(word)).map(({ word }) => word));
    const filled = argv.filter((word) => !dropped.has(word)).map((word) => wordText(word, texts));
    checkSize(filled);
    return { kind: 'argv', argv: filled };
  }
  const names = values.map(({ name }) => name);
  const { script, args: filled }: FilledScript = fillScript(source.text, { words, names, texts });
  checkSize([script, ...filled]);
  return { kind: 'script', script, args: filled };
}

function wordText({ pieces }: Word, texts: readonly (string | undefined)[]): string {
  const textOf = (piece: Piece) => (piece.kind === 'value' ? (texts[piece.index] ?? '') : piece.text);
  return pieces.map(textOf).join('');
}

function problemText(
  { why, offset, instead }: TemplateProblem,
  { text, references }: TemplateSource,
): string {
  const index = text.slice(0, offset).split(HOLE).length - 1;
  const isAtValue = text[offset] === HOLE;
  const subject = isAtValue ? `{{${references[index]?.path.join('.')}}} cannot be filled in safely: ` : '';
  return `${subject}${why}${instead === '' ? '' : `; ${instead}`}`;
}

function unsafe(
  reason: string,
  where?: { readonly place: string; readonly at: number },
): UnsafeTemplateError {
  return new UnsafeTemplateError(reason, where);
}
