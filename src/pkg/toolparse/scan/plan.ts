import type { FormatDeclaration } from '../formats/declaration.js';
import { documentOpener } from '../formats/document.js';
import { type ElementFormats, elementsOpener } from '../formats/element-opener.js';
import { TEXT_FORMATS, WIRE_FORMATS } from '../formats/format-table.js';
import { jsonStarter } from '../formats/json-opener.js';
import { lineStarter } from '../formats/line-starter.js';
import type { Opener } from '../formats/opener.js';
import { openerOf } from '../formats/text-format.js';
import type { WireFormat } from '../formats/wire-format.js';
import { wrappedOpener } from '../formats/wrapped-opener.js';
import type { FormatChoice, ParseOptions, ReasoningMode } from '../types.js';
import { FENCE, type PassageMarks, REASONING_MARKS } from './marks.js';
import { OpenerTable } from './opener-table.js';
import { escapePattern } from './template.js';

/** What a scan looks for: built once for each choice of formats. */
export interface Plan {
  /** What can open; `loose` holds what begins with no more than one character. */
  readonly openers: OpenerTable;
  readonly loose: OpenerTable;
  /** What can open where a response, or what follows a call, begins. */
  readonly starters: readonly Opener[];
  /** The bodies that are looked for. */
  readonly wire: readonly WireFormat[];
  /** Opens a whole response that is a provider's JSON. */
  readonly document: Opener | undefined;
  /** The marks of fences and passages, by the character that they begin with. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  /** Every character that something can begin with. */
  readonly firsts: ReadonlySet<string>;
  /** Fits text in which something can begin, by its first characters; most prose it does not fit. */
  readonly hint: RegExp;
  /** Finds the next place where anything can open. */
  readonly pattern: RegExp;
  readonly passages: readonly PassageMarks[];
  readonly reasoning: ReasoningMode;
  /** Whether formats that need a declared tool are read for any: the caller has named them, and no tools. */
  readonly trustsNames: boolean;
}

interface Chosen {
  readonly text: readonly FormatDeclaration[];
  readonly wire: readonly WireFormat[];
  readonly isNamed: boolean;
}

const plans = new Map<string, Plan>();

/** The plan for these options. Throws for a format that does not exist: that is the caller's mistake, not the model's. */
export function planFor(options: ParseOptions): Plan {
  const hasTools = (options.tools?.length ?? 0) > 0;
  const reasoning = options.reasoning ?? 'ignore';
  const format = options.format ?? 'auto';
  if (typeof format !== 'string')
    return buildPlan(choose(format), { hasTools, reasoning, tools: options.tools });
  const key = `${format} ${hasTools} ${options.tools === undefined} ${reasoning}`;
  const known = plans.get(key);
  if (known) return known;
  const plan = buildPlan(choose(format), { hasTools, reasoning, tools: options.tools });
  plans.set(key, plan);
  return plan;
}

/** The declaration with this id, or the one given. */
export function textFormat(choice: FormatChoice): FormatDeclaration | undefined {
  return typeof choice === 'string' ? TEXT_FORMATS.find((format) => format.id === choice) : choice;
}

function choose(choice: FormatChoice | readonly FormatChoice[]): Chosen {
  const choices = (Array.isArray(choice) ? choice : [choice]) as readonly FormatChoice[];
  const text: FormatDeclaration[] = [];
  const wire: WireFormat[] = [];
  for (const one of choices) {
    const wireFormat = WIRE_FORMATS.find((format) => format.id === one);
    const declaration = textFormat(one);
    if (wireFormat) wire.push(wireFormat);
    else if (declaration) text.push(declaration);
    else if (one !== 'auto')
      throw new TypeError(`There is no tool-call format "${String(one)}"; see listFormats().`);
  }
  if (!choices.includes('auto')) return { text: withOthers(text), wire, isNamed: true };
  const all = TEXT_FORMATS.filter((format) => format.sameAs === undefined);
  return { text: [...text, ...all], wire: [...WIRE_FORMATS], isNamed: false };
}

/** The formats, and those that the same models fall back to. */
function withOthers(formats: readonly FormatDeclaration[]): readonly FormatDeclaration[] {
  const others = formats.flatMap(({ also }) => also ?? []).map(textFormat);
  return [...new Set([...formats, ...others.filter((format) => format !== undefined)])];
}

interface Conditions {
  readonly hasTools: boolean;
  readonly reasoning: ReasoningMode;
  readonly tools: ParseOptions['tools'];
}

function buildPlan(chosen: Chosen, { hasTools, reasoning, tools }: Conditions): Plan {
  const trustsNames = chosen.isNamed && tools === undefined;
  const formats = chosen.text.filter((format) => hasTools || trustsNames || !format.declaredOnly);
  const openers = collectOpeners(formats);
  const passages = REASONING_MARKS.filter(({ isSpeech }) => isSpeech || reasoning !== 'use');
  const marks = [
    FENCE,
    ...passages.flatMap(({ open, close, isSpeech }) => (isSpeech ? [open] : [open, close])),
  ];
  const table = new OpenerTable(openers);
  const loose = openers.filter(({ isLoose }) => isLoose);
  const tokens = tokensByFirst(marks);
  const marked = openers.filter(({ isLoose }) => !isLoose);
  const sources = [...marks.map(escapePattern), ...[...marked, ...loose].flatMap(({ patterns }) => patterns)];
  const isBareRead = hasTools && formats.some(({ open, body }) => open === '' && body.kind === 'json');
  return {
    openers: table,
    loose: new OpenerTable(loose),
    tokens,
    firsts: new Set([...table.firsts, ...tokens.keys()]),
    hint: hintFor([...openers.flatMap(({ heads = [] }) => heads), ...marks.map((mark) => mark.slice(0, 3))]),
    starters: collectStarters(formats),
    wire: chosen.wire,
    document: chosen.wire.length > 0 ? documentOpener(chosen.wire, isBareRead) : undefined,
    pattern: new RegExp([...new Set(sources)].join('|'), 'g'),
    passages,
    reasoning,
    trustsNames,
  };
}

/** Each format's calls, then its wrapper; tags that are named after tools come last, for any tag may be one. */
function collectOpeners(formats: readonly FormatDeclaration[]): readonly Opener[] {
  const plain = formats.filter(({ body }) => body.kind !== 'element');
  const inner = plain.filter(({ declaredOnly }) => !declaredOnly).map(openerOf);
  const openers = plain.flatMap((format) => {
    const wrapped = wrappedOpener(format, inner);
    return wrapped ? [openerOf(format), wrapped] : [openerOf(format)];
  });
  const elements = elementFormats(formats);
  return elements ? [...openers, elementsOpener(elements)] : openers;
}

function collectStarters(formats: readonly FormatDeclaration[]): readonly Opener[] {
  const starters = formats.flatMap((format) =>
    format.start !== undefined && format.body.kind === 'json' ? [jsonStarter(format, format.body)] : [],
  );
  const elements = elementFormats(formats);
  return elements?.tags === undefined ? starters : [...starters, lineStarter(elements)];
}

function elementFormats(formats: readonly FormatDeclaration[]): ElementFormats | undefined {
  const found: { tags?: string; yaml?: string } = {};
  for (const { id, body } of formats) if (body.kind === 'element') found[body.content] ??= id;
  return Object.keys(found).length > 0 ? found : undefined;
}

/** Each of the heads, or the beginning of one that the text ends with. */
function hintFor(heads: readonly string[]): RegExp {
  const sources = heads.flatMap((head) =>
    Array.from(
      head,
      (_, index) => escapePattern(head.slice(0, index + 1)) + (index + 1 < head.length ? '$' : ''),
    ),
  );
  return new RegExp([...new Set(sources)].join('|'));
}

function tokensByFirst(marks: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const mark of marks) {
    const list = table.get(mark[0] ?? '');
    if (list) list.push(mark);
    else table.set(mark[0] ?? '', [mark]);
  }
  return table;
}
