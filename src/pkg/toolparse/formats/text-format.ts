import { isBlankCode } from '../json/json-walker.js';
import type { Frame } from '../scan/frame.js';
import { JsonFrame } from '../scan/json-frame.js';
import type { Interpretation } from '../scan/json-reading.js';
import { TagFrame, type TagGrammar } from '../scan/tag-frame.js';
import { type Filled, Template } from '../scan/template.js';
import type { TextView } from '../scan/text-view.js';
import type { Json } from '../types.js';
import { readCallShapes, type ShapeRules } from './call-shapes.js';
import type { FormatDeclaration, JsonBody, TagBody } from './declaration.js';

/** `partial`: it may yet open here, when more text is there. */
type Opening = Frame | 'partial' | undefined;

/** What can open a frame at a place in the text. */
export interface Opener {
  /** Regular expressions for the text that it begins with. */
  readonly patterns: readonly string[];
  /** `index` is a place in the view; `inFence` asks for a declared tool. */
  open(view: TextView, index: number, inFence: boolean): Opening;
}

const MAX_BLANKS = 64;
const compiled = new WeakMap<FormatDeclaration, Opener>();

/** The opener of a declared format; compiled once. */
export function openerOf(declaration: FormatDeclaration): Opener {
  const known = compiled.get(declaration);
  if (known) return known;
  const opener = compile(declaration);
  compiled.set(declaration, opener);
  return opener;
}

function compile(declaration: FormatDeclaration): Opener {
  const opens = (
    Array.isArray(declaration.open) ? declaration.open : [declaration.open]
  ) as readonly string[];
  const templates = opens.map((mark) => new Template(mark));
  const { body } = declaration;
  return body.kind === 'json'
    ? jsonOpener(declaration, body, templates)
    : tagOpener(declaration, body, templates);
}

function jsonOpener(declaration: FormatDeclaration, body: JsonBody, templates: readonly Template[]): Opener {
  const isBare = declaration.open === '';
  const declaredOnly = declaration.declaredOnly ?? false;
  const rules: ShapeRules = { strict: declaredOnly, nameKey: body.name, argumentsKey: body.arguments };
  const frame = (at: JsonPlace) =>
    new JsonFrame({
      format: declaration.id,
      start: at.start,
      valueAt: at.valueAt,
      close: declaration.close,
      closeRequired: declaredOnly && declaration.close !== undefined,
      restart: declaredOnly ? '' : (templates[0]?.leadingText ?? ''),
      declaredOnly: declaredOnly || at.inFence,
      tentative: declaredOnly,
      isDocument: false,
      rules,
      interpret: (value) => interpretCalls(value, at.filled, { format: declaration.id, rules }),
    });
  return {
    patterns: isBare ? ['[{[]'] : templates.map((template) => template.leadingPattern),
    open: (view, index, inFence) =>
      openFirst(templates, { view, index }, (end, filled) => {
        const valueAt = jsonStart(view, end);
        if (typeof valueAt !== 'number') return valueAt;
        return frame({ start: view.base + index, valueAt: view.base + valueAt, filled, inFence });
      }),
  };
}

interface JsonPlace {
  readonly start: number;
  readonly valueAt: number;
  readonly filled: Filled;
  readonly inFence: boolean;
}

/** The calls that a value stands for: the arguments of the tool that the mark has named, or calls that name their own. */
function interpretCalls(
  value: Json,
  filled: Filled,
  by: { readonly format: string; readonly rules: ShapeRules },
): Interpretation | undefined {
  const { name } = filled;
  if (name !== undefined) {
    const call = { name, id: filled.id, arguments: value, element: 0 };
    return { format: by.format, calls: [call], encoded: false };
  }
  const calls = readCallShapes(value, by.rules);
  return calls && { format: by.format, calls, encoded: false };
}

function tagOpener(declaration: FormatDeclaration, body: TagBody, open: readonly Template[]): Opener {
  const wrapper = declaration.wrapper && {
    open: new Template(declaration.wrapper.open),
    close: new Template(declaration.wrapper.close),
  };
  const parameter = { open: new Template(body.parameter.open), close: new Template(body.parameter.close) };
  const grammar: TagGrammar = { open, close: new Template(declaration.close ?? ''), wrapper, parameter };
  const frame = (start: number, callAt: number, inFence: boolean) =>
    new TagFrame({
      format: declaration.id,
      start,
      callAt,
      isWrapped: callAt > start,
      declaredOnly: (declaration.declaredOnly ?? false) || inFence,
      grammar,
    });
  const openCall = (view: TextView, index: number, place: { start: number; inFence: boolean }) =>
    openFirst(open, { view, index }, () => frame(place.start, view.base + index, place.inFence));
  return {
    patterns: [...(wrapper ? [wrapper.open] : []), ...open].map((template) => template.leadingPattern),
    open: (view, index, inFence) => {
      const place = { start: view.base + index, inFence };
      const direct = openCall(view, index, place);
      if (direct !== undefined || !wrapper) return direct;
      return openFirst([wrapper.open], { view, index }, (end) => {
        const callAt = skipBlanks(view, end);
        return callAt === undefined ? 'partial' : openCall(view, callAt, place);
      });
    },
  };
}

/** The first of the marks that opens here. One that may still come holds back those behind it. */
function openFirst(
  marks: readonly Template[],
  { view, index }: { readonly view: TextView; readonly index: number },
  then: (end: number, filled: Filled) => Opening,
): Opening {
  for (const mark of marks) {
    const match = mark.match(view.text, index);
    const opening = match.status === 'match' ? then(match.end, match.filled) : undefined;
    if (opening !== undefined && (opening !== 'partial' || !view.final)) return opening;
    if (match.status === 'partial' && !view.final) return 'partial';
  }
  return undefined;
}

/** The index of the value's first bracket: an object's, or an array's that holds something like an object. */
export function jsonStart(view: TextView, from: number): number | 'partial' | undefined {
  const at = skipBlanks(view, from);
  if (at === undefined) return 'partial';
  const bracket = view.text[at];
  if (bracket !== '{' && bracket !== '[') return undefined;
  const next = skipBlanks(view, at + 1);
  if (next === undefined) return 'partial';
  const isLikely = bracket === '{' ? /["'\u201c\u2018}\p{L}_$/]/u : /[{\]]/;
  return isLikely.test(view.text[next] ?? '') ? at : undefined;
}

/** The next index that is not blank; undefined when the text ends first. Too many blanks are their own answer. */
function skipBlanks(view: TextView, from: number): number | undefined {
  let index = from;
  while (index < view.text.length && index - from < MAX_BLANKS && isBlankCode(view.text.charCodeAt(index)))
    index += 1;
  return index < view.text.length ? index : undefined;
}
