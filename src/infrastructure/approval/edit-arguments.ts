import type { ApprovalDecision } from '../../domain/approval.js';
import { canonicalJson, isJsonObject, type JsonObject } from '../../domain/json.js';
import { escapeInvisibleJson, toVisible } from '../../domain/visible-text.js';
import { answerOf, listOf } from './answers.js';
import * as decisions from './decisions.js';
import { editInEditor } from './edit-in-editor.js';
import { readLine } from './read-line.js';
import type { Terminal } from './terminal.js';

interface Editable {
  readonly planHash: string;
  readonly arguments: JsonObject;
}

/** A text as the person left it, or how the changing was broken off. */
export type Edited = { readonly text: string } | 'given-up' | 'interrupted' | 'over' | 'no-editor';

/**
 * Lets the person change the arguments, and gives back what they made of them. That approves nothing by itself: the
 * new arguments are planned and decided again, and where a person must be asked, the new plan is shown.
 */
export async function editArguments(
  terminal: Terminal,
  { planHash, arguments: original }: Editable,
): Promise<ApprovalDecision | 'ask-again'> {
  const edited = await editUntilRead(terminal, readable(original));
  if (edited !== 'unchanged' && 'kind' in edited) return edited;
  if (edited === 'unchanged' || canonicalJson(edited.arguments) === canonicalJson(original)) {
    terminal.write('\n  nothing was changed\n');
    return 'ask-again';
  }
  return decisions.approved(planHash, { scope: 'once', arguments: edited.arguments });
}

/** JSON by lines; what cannot be seen is escaped, but for the line feeds between them. */
function readable(args: JsonObject): string {
  return JSON.stringify(args, null, 2).split('\n').map(escapeInvisibleJson).join('\n');
}

type ReadArguments = { readonly arguments: JsonObject };

async function editUntilRead(
  terminal: Terminal,
  original: string,
): Promise<ReadArguments | ApprovalDecision | 'unchanged'> {
  for (let text = original; ; ) {
    const edited = await edit(terminal, text);
    if (edited === 'interrupted') return decisions.interrupted();
    if (edited === 'over') return decisions.ended();
    if (typeof edited === 'string') return 'unchanged';
    const read = readArguments(edited.text);
    if (typeof read !== 'string') return { arguments: read };
    const refusal = await offerAgain(terminal, read);
    if (refusal) return refusal;
    text = edited.text;
  }
}

async function edit(terminal: Terminal, text: string): Promise<Edited> {
  const edited = await editInEditor(terminal, text);
  if (edited !== 'no-editor') return edited;
  terminal.write('\n  the arguments as JSON (Enter takes them, Esc leaves them as they were)\n');
  const initial = isJson(text) ? escapeInvisibleJson(JSON.stringify(JSON.parse(text))) : text;
  const read = await readLine(terminal, { initial, longest: initial.length + 10_000 });
  return typeof read === 'string' ? read : { text: read.line };
}

/** The arguments, or what is wrong with them. */
function readArguments(text: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : 'the arguments must be an object: { … }';
  } catch (error) {
    return `that is no JSON: ${placed(String((error as Error).message), text)}`;
  }
}

function isJson(text: string): boolean {
  return typeof readArguments(text) !== 'string';
}

/** The parser counts characters; people look for lines. */
function placed(message: string, text: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes('(line ')) return message;
  const before = text.slice(0, Number(position)).split('\n');
  return `${message} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`;
}

const AGAIN = [{ digit: '7', key: 'e', answer: 'again', text: 'change them once more' }] as const;

/** Undefined if the person wants to try again. */
async function offerAgain(terminal: Terminal, problem: string): Promise<ApprovalDecision | undefined> {
  terminal.write(`\n  ${toVisible(problem)}\n`);
  const typed = await terminal.ask(listOf(AGAIN));
  if (typed === 'never-silent') return decisions.neverSilent();
  const answer = answerOf(typed, AGAIN);
  if (answer === 'again') return undefined;
  return answer === 'interrupt' ? decisions.interrupted() : decisions.denied();
}
