import type { FormatDeclaration, TagPair } from './formats/declaration.js';
import { isObject } from './json/own.js';
import { parseToolCalls } from './parse-tool-calls.js';
import { type Slot, Template } from './scan/template.js';

/** What is wrong with a declaration, and with which part of it. */
export interface FormatMistake {
  /** The keys that lead to it: `['body', 'kind']`. */
  readonly at: readonly string[];
  readonly message: string;
}

const MAX_MARK = 48;
const TOO_SHORT = `needs 2 to ${MAX_MARK} characters before its first slot`;
const BODY_KINDS = ['json', 'tags', 'code', 'quoted', 'yaml'] as const;
const NAMED_KINDS: ReadonlySet<string> = new Set(['tags', 'quoted']);
const CLOSED_KINDS: ReadonlySet<string> = new Set(['tags', 'quoted', 'yaml']);
const ANY_SLOT = /\{(?:name|id|call|key|type|word|any)\}/;

type Found = readonly (FormatMistake | undefined)[];

/** Every mistake of a declaration; when there is none, it reads its own example. */
export function checkFormat(declaration: FormatDeclaration): readonly FormatMistake[] {
  if (!isObject(declaration)) return [{ at: [], message: 'it is no object' }];
  const format = declaration as FormatDeclaration;
  const mistakes = [...markMistakes(format), ...bodyMistakes(format)].filter((one) => one !== undefined);
  if (mistakes.length > 0) return mistakes;
  const failure = tryExample(format);
  return failure === undefined
    ? []
    : [{ at: ['example'], message: `it does not read its own example: ${failure}` }];
}

function markMistakes({ id, open, close, wrapper }: FormatDeclaration): Found {
  const opens = marksOf(open);
  const isId = typeof id === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(id);
  return [
    unless(isId, ['id'], 'its id needs lower-case letters, digits and "_"'),
    unless(opens.length > 0 && opens.every(isMark), ['open'], `every opening mark ${TOO_SHORT}`),
    unless(marksOf(close).every(isMark), ['close'], `its closing mark ${TOO_SHORT}`),
    unless(
      wrapper === undefined || [wrapper?.open, wrapper?.close].flatMap(marksOf).every(isMark),
      ['wrapper'],
      `every mark of its wrapper ${TOO_SHORT}`,
    ),
  ];
}

function bodyMistakes(format: FormatDeclaration): Found {
  const kind = BODY_KINDS.find((known) => known === format.body?.kind);
  if (kind === undefined) {
    const message = `its body must be of kind ${BODY_KINDS.map((one) => `"${one}"`).join(', ')}`;
    return [{ at: ['body', 'kind'], message }];
  }
  const closes = marksOf(format.close);
  const isNamed = marksOf(format.open).every((open) => hasSlot(open, 'name') || hasSlot(open, 'call'));
  const isSlotted = kind === 'json' && closes.some((close) => ANY_SLOT.test(String(close)));
  return [
    unless(!isSlotted, ['close'], 'the closing mark of a JSON body takes no slots'),
    unless(!NAMED_KINDS.has(kind) || isNamed, ['open'], `with ${kind}, every opening mark needs {name}`),
    unless(!CLOSED_KINDS.has(kind) || closes.length > 0, ['close'], `with ${kind}, a closing mark is needed`),
    ...tagMistakes(format),
    ...quoteMistakes(format),
  ];
}

function tagMistakes({ body }: FormatDeclaration): Found {
  if (body.kind !== 'tags') return [];
  const pairs: readonly TagPair[] = Array.isArray(body.parameter) ? body.parameter : [body.parameter];
  const isKeyed =
    pairs.length > 0 && pairs.every((pair) => hasSlot(pair?.open, 'key') || hasSlot(pair?.open, 'name'));
  const isClosed = pairs.every((pair) => typeof pair?.close === 'string') && pairs[0]?.close !== '';
  return [
    unless(isKeyed, ['body', 'parameter'], "a parameter's opening mark needs {key}"),
    unless(isClosed, ['body', 'parameter'], 'a parameter needs a closing mark'),
  ];
}

function quoteMistakes({ body }: FormatDeclaration): Found {
  if (body.kind !== 'quoted') return [];
  const isLong = typeof body.quote === 'string' && body.quote.length > 1;
  return [unless(isLong, ['body', 'quote'], 'its quote needs 2 characters at least')];
}

function unless(isRight: boolean, at: readonly string[], message: string): FormatMistake | undefined {
  return isRight ? undefined : { at, message };
}

function marksOf(marks: unknown): readonly unknown[] {
  if (marks === undefined) return [];
  return Array.isArray(marks) ? marks : [marks];
}

function hasSlot(mark: unknown, slot: Slot): boolean {
  return typeof mark === 'string' && new Template(mark).has(slot);
}

/** A mark is searched for by what comes before its first slot: too little fits everywhere, too much is held back too long. */
function isMark(mark: unknown): boolean {
  if (typeof mark !== 'string') return false;
  const leading = mark.replaceAll('{ns}', '').split(ANY_SLOT)[0] ?? '';
  return leading.trim().length >= 2 && leading.length <= MAX_MARK && !/^\s/.test(mark);
}

function tryExample(format: FormatDeclaration): string | undefined {
  const { example } = format;
  if (!example) return undefined;
  const { calls } = parseToolCalls(example.text, { format, tools: [{ name: example.name }] });
  const [call] = calls;
  if (calls.length !== 1 || !call) return `it finds ${calls.length} calls in it`;
  if (call.name !== example.name) return `it reads the name "${call.name}"`;
  const isSame = JSON.stringify(call.arguments) === JSON.stringify(example.arguments);
  return isSame ? undefined : `it reads the arguments ${JSON.stringify(call.arguments)}`;
}
