import { isNamePath, type ShapedCall, type ShapeRules } from '../formats/call-shapes.js';
import { fixesOf, type Mended, mendEscaped, mendJson, SURPLUS_BRACKETS } from '../json/mend-json.js';
import { tryParse } from '../json/own.js';
import { repeatsKey } from '../json/repeated-keys.js';
import type { Json } from '../types.js';
import type { Draft } from './draft.js';
import type { CallReading, Note, Reading } from './frame.js';
import type { Interpretation, JsonBlock, JsonSpec } from './json-block.js';

interface Value {
  readonly value: Json;
  readonly mended?: Mended;
  /** What was mended, in words. */
  readonly fixes: readonly string[];
  /** The text of sound JSON. */
  readonly source?: string;
  /** Whether a closing mark vouches for it. */
  readonly isClosed: boolean;
}

/** So far back, at most, is text read again. */
const MAX_RETURN = 512;
const UNREADABLE = 'The block opens like a call, but no call can be read from it.';

/** Turns the text of a finished frame into calls, or says that it is text. */
export function readJsonBlock(text: string, block: JsonBlock): Reading {
  const { spec, ending } = block;
  if (spec.closeRequired && ending === 'loose') return { kind: 'text', resume: spec.valueAt };
  const values: Value[] = [];
  if (block.parsed !== undefined) values.push(parsedValue(text, block, block.parsed));
  for (const span of block.values) {
    const value = readSpan(text.slice(span.from - spec.start, span.to - spec.start), ending === 'closed');
    if (value) values.push(span === block.values.at(-1) ? withSurplus(value, block) : value);
  }
  if (ending === 'cut' || ending === 'broken') return readUnfinished(text, block, values);
  return callReading(values, block, block.end) ?? rejection(block, block.end);
}

function parsedValue(text: string, { spec, end }: JsonBlock, value: Json): Value {
  const to = end - spec.start - (spec.close?.length ?? 0);
  return { value, fixes: [], isClosed: true, source: text.slice(spec.valueAt - spec.start, to) };
}

function readSpan(text: string, isClosed: boolean): Value | undefined {
  const value = tryParse(text);
  if (value !== undefined) return { value, fixes: [], isClosed, source: text };
  const mended = mendJson(text);
  if (!mended || mended.end < text.length) return undefined;
  return { value: mended.value, mended, fixes: mended.fixes, isClosed };
}

function withSurplus(value: Value, { hasSurplus }: JsonBlock): Value {
  return hasSurplus ? { ...value, fixes: [...value.fixes, SURPLUS_BRACKETS] } : value;
}

/** A value that never ended, or that is not even lenient JSON: mended as far as its closing mark, if there is one. */
function readUnfinished(text: string, block: JsonBlock, before: readonly Value[]): Reading {
  const { spec } = block;
  if (block.ending === 'broken' && spec.tentative && spec.close === undefined) {
    return readElements(text, block) ?? { kind: 'text', resume: block.resume };
  }
  const region = regionOf(text, block);
  const mended = mendJson(region.text) ?? mendEscaped(region.text);
  const values = [...before];
  const isWhole = mended !== undefined && /^[\s}\])`]*$/.test(region.text.slice(mended.end));
  if (mended) {
    const fixes = isWhole ? fixesOf(mended, region.text) : mended.fixes;
    values.push({ value: mended.value, mended, fixes, isClosed: region.isClosed });
  }
  const end = isWhole || !mended ? region.end : block.unfinishedFrom + mended.end;
  return callReading(values, block, end) ?? salvage(region, block) ?? rejection(block);
}

/** What breaks an array costs none of the calls before it, if it is so near that the way back costs little. */
function readElements(text: string, block: JsonBlock): Reading | undefined {
  const { spec, unfinishedFrom, elementEnd, brokenAt } = block;
  const isNear = elementEnd >= 0 && brokenAt - elementEnd <= MAX_RETURN;
  if (!isNear || text[unfinishedFrom - spec.start] !== '[') return undefined;
  const mended = mendJson(text.slice(unfinishedFrom - spec.start, elementEnd - spec.start));
  if (!mended) return undefined;
  const { value, fixes } = mended;
  return callReading([{ value, mended, fixes, isClosed: false }], block, elementEnd);
}

interface Region {
  readonly text: string;
  readonly end: number;
  readonly isClosed: boolean;
}

/** The text to mend. A string that lost its quote may have run over the closing mark into the next block. */
function regionOf(text: string, block: JsonBlock): Region {
  const { spec, unfinishedFrom } = block;
  const from = unfinishedFrom - spec.start;
  const close = spec.close ?? '';
  const early = close === '' ? -1 : text.indexOf(close, from);
  const stop = block.stop < 0 ? -1 : block.stop - spec.start;
  if (early >= 0 && early !== stop && ranOver(text.slice(early + close.length), block)) {
    return { text: text.slice(from, early), end: spec.start + early + close.length, isClosed: true };
  }
  if (stop >= 0) return { text: text.slice(from, stop), end: block.end, isClosed: true };
  return { text: text.slice(from), end: block.end, isClosed: false };
}

function ranOver(rest: string, block: JsonBlock): boolean {
  if (block.ending === 'cut') return rest.trim() === '';
  return block.spec.restart !== '' && rest.includes(block.spec.restart);
}

/** The name alone, when it is plain to see: the model then learns that its arguments could not be read. */
function salvage(region: Region, block: JsonBlock): CallReading | undefined {
  const match = /^\s*[[{]\s*\{?\s*["']?name["']?\s*:\s*["']([^"'\s]{1,128})["']\s*,/.exec(
    region.text.slice(0, 400),
  );
  if (!match?.[1] || block.spec.tentative || !region.isClosed) return undefined;
  const draft: Draft = {
    name: match[1],
    arguments: { kind: 'unreadable', text: region.text },
    complete: true,
    fixes: [],
  };
  return { kind: 'calls', format: block.spec.format, drafts: [draft], end: region.end, needsDeclared: true };
}

function rejection(block: JsonBlock, resume?: number): Reading {
  const { spec } = block;
  if (spec.tentative) return { kind: 'text', resume: resume ?? block.resume };
  const note: Note = { code: 'call-unreadable', message: UNREADABLE };
  return { kind: 'text', resume: resume ?? spec.valueAt, note };
}

function callReading(values: readonly Value[], block: JsonBlock, end: number): Reading | undefined {
  const { spec } = block;
  const readings = values.map((value) => ({
    value,
    found: isCode(value, spec) ? undefined : spec.interpret(value.value),
  }));
  const first = readings.find(({ found }) => found)?.found;
  if (!first) return undefined;
  const unclosed = spec.close !== undefined && ['loose', 'ragged', 'end'].includes(block.ending);
  const drafts = readings.flatMap(({ value, found }, index) => {
    const goesOn = block.ending === 'ragged' && index === readings.length - 1;
    return found ? draftsOf(found, value, spec).map((draft) => ({ ...draft, unclosed, goesOn })) : [];
  });
  if (drafts.length === 0 && first.text === undefined) {
    return first.note && { kind: 'text', resume: end, note: first.note };
  }
  const isWhole = spec.isApart && (block.ending === 'closed' || block.ending === 'end');
  if (!isWhole && drafts.some(({ isBare }) => isBare)) return undefined;
  return {
    kind: 'calls',
    format: first.format,
    drafts,
    end,
    refused: first.refused,
    needsDeclared: first.declaredOnly === true || readings.some(({ value }) => isGuessed(value, spec.rules)),
    ...(first.text === undefined ? {} : { text: readings.map(({ found }) => found?.text ?? '').join('') }),
  };
}

/** Words without quotes make it a piece of code, unless a mark says that it is a call. */
function isCode({ mended }: Value, spec: JsonSpec): boolean {
  return spec.tentative && (mended?.fixes.some((fix) => fix.startsWith('unquoted')) ?? false);
}

/** A name without quotes is more often a placeholder than a tool. */
function isGuessed(value: Value, rules: ShapeRules): boolean {
  return value.mended?.unquoted.some((key) => isNamePath([key], rules)) ?? false;
}

function draftsOf(found: Interpretation, value: Value, spec: JsonSpec): readonly Draft[] {
  const { mended } = value;
  const cutCall = cutCallOf(found, value);
  const isNameCut = mended?.cutPath !== undefined && isNamePath(mended.cutPath, spec.rules);
  const isVouched = value.isClosed && mended?.cutPath === undefined;
  const calls = cutCall && isNameCut ? found.calls.filter((call) => call !== cutCall) : found.calls;
  const repeats = calls.length > 0 && value.source !== undefined && repeatsKey(value.source, value.value);
  return calls.map((call) => ({
    name: call.name,
    id: call.id,
    arguments: argumentsOf(call, found),
    complete: call !== cutCall || (isVouched && !found.cut),
    fixes: value.fixes,
    repeats,
    isBare: spec.rules.strict && call !== cutCall && call.arguments === undefined,
  }));
}

function argumentsOf(call: ShapedCall, { encoded }: Interpretation): Draft['arguments'] {
  if (call.isPlain) return { kind: 'plain', text: String(call.arguments), isOpen: false };
  return { kind: encoded ? 'encoded' : 'json', value: call.arguments, beside: call.beside };
}

/** The call that the text, or the provider, ended in the middle of: the last one, if any. */
function cutCallOf(found: Interpretation, { value, mended }: Value): ShapedCall | undefined {
  const last = found.calls.at(-1);
  // Arguments that are JSON text show for themselves whether they are whole.
  if (found.cut && last && typeof last.arguments !== 'string') return last;
  const isArray = Array.isArray(value);
  const isOpen = mended !== undefined && mended.openDepth > (isArray ? 1 : 0);
  const isLastElement = !isArray || last?.element === value.length - 1;
  return isOpen && isLastElement ? last : undefined;
}
