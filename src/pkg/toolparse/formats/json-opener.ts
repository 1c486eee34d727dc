import { isBlankCode } from '../json/json-walker.js';
import type { Interpretation } from '../scan/json-block.js';
import { JsonFrame } from '../scan/json-frame.js';
import { FENCE } from '../scan/marks.js';
import { PlainFrame } from '../scan/plain-frame.js';
import { type Filled, Template } from '../scan/template.js';
import type { TextView } from '../scan/text-view.js';
import { propertyNames, requiredNames } from '../schema/schema-types.js';
import type { Json } from '../types.js';
import { readCallShapes, readKeyedCalls, type ShapeRules } from './call-shapes.js';
import { type FormatDeclaration, type JsonBody, listMarks } from './declaration.js';
import { headsOf, namedBy, type Opener, type Opening, openFirst, type Place } from './opener.js';

const MAX_BLANKS = 64;
/** A code block in place of a tool's input. */
const INPUT_FENCE = new Template(` ${FENCE}{word} `);

interface JsonFormat {
  readonly declaration: FormatDeclaration;
  readonly body: JsonBody;
  readonly rules: ShapeRules;
  readonly restart: string;
}

/** Opens a format whose calls are JSON. */
export function jsonOpener(declaration: FormatDeclaration, body: JsonBody): Opener {
  const templates = listMarks(declaration.open).map((mark) => new Template(mark));
  const isBare = declaration.open === '';
  const declaredOnly = declaration.declaredOnly ?? false;
  const rules: ShapeRules = { strict: declaredOnly, nameKey: body.name, argumentsKey: body.arguments };
  const closes = listMarks(declaration.close);
  const format = {
    declaration,
    body,
    rules,
    restart: declaredOnly ? '' : (templates[0]?.leadingText ?? ''),
  };
  return {
    patterns: isBare ? ['[{[]'] : templates.map((template) => template.leadingPattern),
    heads: isBare ? ['{', '['] : headsOf(templates),
    isLoose: isBare,
    open: (view, index, place) =>
      openFirst(templates, { view, index }, (end, filled, mark) => {
        const own = closes[closes.length === templates.length ? templates.indexOf(mark) : 0];
        const close = mark.source.endsWith('(') ? ')' : own;
        return openBody(format, { view, index, end, filled, close }, place);
      }),
  };
}

/** Opens the same where the prompt has written the beginning of the mark. */
export function jsonStarter(declaration: FormatDeclaration, body: JsonBody): Opener {
  const templates = listMarks(declaration.start).map((mark) => new Template(mark));
  // A name alone is no mark: only a declared tool's counts.
  const isLoose = declaration.declaredOnly || templates.some(({ source }) => source.startsWith('{'));
  const rules: ShapeRules = { strict: false, nameKey: body.name, argumentsKey: body.arguments };
  const format = { declaration: { ...declaration, declaredOnly: isLoose }, body, rules, restart: '' };
  return {
    patterns: [],
    open: (view, index, place) =>
      openFirst(templates, { view, index }, (end, filled) => {
        const { name = '' } = namedBy(filled);
        if (isLoose && !place.tools.has(name)) return undefined;
        const close = listMarks(declaration.close)[0];
        return openBody(format, { view, index, end, filled, close }, place);
      }),
  };
}

interface At {
  readonly view: TextView;
  readonly index: number;
  readonly end: number;
  readonly filled: Filled;
  readonly close: string | undefined;
}

function openBody(format: JsonFormat, at: At, place: Place): Opening {
  const isInput = format.body.plain === true && at.close === undefined;
  return isInput ? openInput(format, at, place) : openJson(format, at, place);
}

/** The input of a tool that the mark has named: JSON, JSON in a code block, or plain text. */
function openInput(format: JsonFormat, at: At, place: Place): Opening {
  const { view, end } = at;
  const fence = INPUT_FENCE.match(view.text, end);
  if (fence.status === 'match') return openJson(format, { ...at, end: fence.end, close: FENCE }, place);
  if (fence.status === 'partial' && !view.final) return 'partial';
  const valueAt = jsonStart(view, end);
  const isJson = typeof valueAt === 'number' || (valueAt === 'partial' && !view.final);
  return isJson ? openJson(format, at, place) : openPlain(format, at, place);
}

function openJson(format: JsonFormat, at: At, place: Place): Opening {
  const valueAt = jsonStart(at.view, at.end);
  if (typeof valueAt !== 'number') return valueAt;
  const { declaration, rules } = format;
  const declaredOnly = declaration.declaredOnly ?? false;
  return new JsonFrame({
    format: declaration.id,
    start: at.view.base + at.index,
    valueAt: at.view.base + valueAt,
    close: at.close,
    after: declaration.after,
    closeRequired: declaredOnly && at.close !== undefined,
    restart: format.restart,
    declaredOnly: declaredOnly || place.inFence,
    tentative: declaredOnly,
    isDocument: false,
    isApart: place.isApart(at.view, at.index),
    rules,
    interpret: (value) => interpretCalls(value, at.filled, format),
  });
}

function openPlain({ declaration }: JsonFormat, at: At, place: Place): Opening {
  const { name } = namedBy(at.filled);
  // Only a declared tool has a parameter that the text could be the value of.
  const tool = name === undefined ? undefined : place.tools.get(name);
  if (!tool) return undefined;
  const { parameters = {} } = tool;
  return new PlainFrame({
    format: declaration.id,
    start: at.view.base + at.index,
    valueAt: at.view.base + at.end,
    name: tool.name,
    mayBeEmpty: requiredNames(parameters).length === 0,
    takesInput: propertyNames(parameters, parameters).size > 0,
  });
}

/** The calls that a value stands for: the arguments of the tool that the mark has named, or calls that name their own. */
function interpretCalls(value: Json, filled: Filled, format: JsonFormat): Interpretation | undefined {
  const { id: formatId } = format.declaration;
  const { name, id } = namedBy(filled);
  if (name !== undefined) {
    return { format: formatId, calls: [{ name, id, arguments: value, element: 0 }], encoded: false };
  }
  const calls =
    (format.body.keyed ? readKeyedCalls(value) : undefined) ?? readCallShapes(value, format.rules);
  return calls && { format: formatId, calls, encoded: false };
}

/** The index of the value's first bracket: an object's, or an array's that holds something like an object. */
export function jsonStart(view: TextView, from: number): number | 'partial' | undefined {
  const at = skipBlanks(view, from);
  if (at === undefined) return 'partial';
  const bracket = view.text[at];
  if (bracket !== '{' && bracket !== '[') return undefined;
  const next = skipBlanks(view, at + 1);
  if (next === undefined) return 'partial';
  const isLikely = bracket === '{' ? /["'\u201c\u201d\u2018\u2019{}\p{L}_$/\\]/u : /[{\]]/;
  return isLikely.test(view.text[next] ?? '') ? at : undefined;
}

/** The next index that is not blank; undefined when the text ends first. Too many blanks are their own answer. */
function skipBlanks(view: TextView, from: number): number | undefined {
  let index = from;
  while (index < view.text.length && index - from < MAX_BLANKS && isBlankCode(view.text.charCodeAt(index)))
    index += 1;
  return index < view.text.length ? index : undefined;
}
