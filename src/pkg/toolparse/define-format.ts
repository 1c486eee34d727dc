import type { FormatDeclaration, TagPair } from './formats/declaration.js';
import { isObject } from './json/own.js';
import { parseToolCalls } from './parse-tool-calls.js';
import { type Slot, Template } from './scan/template.js';

const MAX_MARK = 48;
const BODY_KINDS = ['json', 'tags', 'code', 'quoted', 'yaml'] as const;
const NAMED_KINDS: ReadonlySet<string> = new Set(['tags', 'quoted']);
const CLOSED_KINDS: ReadonlySet<string> = new Set(['tags', 'quoted', 'yaml']);
const ANY_SLOT = /\{(?:name|id|call|key|type|word|any)\}/;

/**
 * Checks a declaration, with its example if it has one, so that a format in hand is one that works. Pass what it
 * returns as `format`, alone or beside others: `['auto', mine]`. Throws a TypeError that lists every mistake.
 */
export function defineFormat(declaration: FormatDeclaration): FormatDeclaration {
  const mistakes = findMistakes(declaration);
  if (mistakes.length > 0) {
    throw new TypeError(`The format "${String(declaration?.id)}" cannot be used: ${mistakes.join('; ')}.`);
  }
  const format = structuredClone(declaration);
  const failure = tryExample(format);
  if (failure) throw new TypeError(`The format "${format.id}" does not read its own example: ${failure}.`);
  return format;
}

function findMistakes(declaration: FormatDeclaration): readonly string[] {
  if (!isObject(declaration)) return ['it is no object'];
  const { id, open, close, wrapper } = declaration as FormatDeclaration;
  const opens = marksOf(open);
  const tooShort = `needs 2 to ${MAX_MARK} characters before its first slot`;
  return [
    /^[a-z][a-z0-9_]{0,63}$/.test(id ?? '') ? '' : 'its id needs lower-case letters, digits and "_"',
    opens.length > 0 && opens.every(isMark) ? '' : `every opening mark ${tooShort}`,
    marksOf(close).every(isMark) ? '' : `its closing mark ${tooShort}`,
    wrapper === undefined || [wrapper.open, wrapper.close].flatMap(marksOf).every(isMark)
      ? ''
      : `every mark of its wrapper ${tooShort}`,
    ...bodyMistakes(declaration as FormatDeclaration),
  ].filter((mistake) => mistake !== '');
}

function bodyMistakes(format: FormatDeclaration): readonly string[] {
  const kind = BODY_KINDS.find((known) => known === format.body?.kind);
  if (kind === undefined)
    return [`its body must be of kind ${BODY_KINDS.map((one) => `"${one}"`).join(', ')}`];
  const isNamed = marksOf(format.open).every((open) => hasSlot(open, 'name') || hasSlot(open, 'call'));
  const hasClose = marksOf(format.close).length > 0;
  const mistakes = [
    kind === 'json' && marksOf(format.close).some((close) => ANY_SLOT.test(String(close)))
      ? 'the closing mark of a JSON body takes no slots'
      : '',
    NAMED_KINDS.has(kind) && !isNamed ? `with ${kind}, every opening mark needs {name}` : '',
    CLOSED_KINDS.has(kind) && !hasClose ? `with ${kind}, a closing mark is needed` : '',
  ];
  return [...mistakes, ...tagMistakes(format), ...quoteMistakes(format)].filter((mistake) => mistake !== '');
}

function tagMistakes({ body }: FormatDeclaration): readonly string[] {
  if (body.kind !== 'tags') return [];
  const pairs: readonly TagPair[] = Array.isArray(body.parameter) ? body.parameter : [body.parameter];
  const isKeyed =
    pairs.length > 0 && pairs.every((pair) => hasSlot(pair?.open, 'key') || hasSlot(pair?.open, 'name'));
  const isClosed = pairs.every((pair) => typeof pair?.close === 'string') && pairs[0]?.close !== '';
  return [
    isKeyed ? '' : "a parameter's opening mark needs {key}",
    isClosed ? '' : 'a parameter needs a closing mark',
  ];
}

function quoteMistakes({ body }: FormatDeclaration): readonly string[] {
  if (body.kind !== 'quoted') return [];
  return [
    typeof body.quote === 'string' && body.quote.length > 1 ? '' : 'its quote needs 2 characters at least',
  ];
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
