import type { FormatDeclaration, WireFormat } from '../formats/declaration.js';
import { documentOpener } from '../formats/document.js';
import { TEXT_FORMATS, WIRE_FORMATS } from '../formats/format-table.js';
import { type Opener, openerOf } from '../formats/text-format.js';
import type { FormatChoice, ParseOptions, ReasoningMode } from '../types.js';
import { FENCE, REASONING_MARKS } from './marks.js';
import { escapePattern } from './template.js';

/** What a scan looks for: built once for each choice of formats. */
export interface Plan {
  readonly openers: readonly Opener[];
  /** The bodies that are looked for. */
  readonly wire: readonly WireFormat[];
  /** Opens a whole response that is a provider's JSON. */
  readonly document: Opener | undefined;
  /** Finds the next place where anything can open. */
  readonly pattern: RegExp;
  readonly reasoning: ReasoningMode;
}

interface Chosen {
  readonly text: readonly FormatDeclaration[];
  readonly wire: readonly WireFormat[];
}

const plans = new Map<string, Plan>();

/** The plan for these options. Throws for a format that does not exist: that is the caller's mistake, not the model's. */
export function planFor(options: ParseOptions): Plan {
  const hasTools = (options.tools?.length ?? 0) > 0;
  const reasoning = options.reasoning ?? 'ignore';
  if (options.format !== undefined && options.format !== 'auto') {
    return buildPlan(choose(options.format), hasTools, reasoning);
  }
  const key = `${hasTools} ${reasoning}`;
  const known = plans.get(key);
  if (known) return known;
  const plan = buildPlan({ text: TEXT_FORMATS, wire: WIRE_FORMATS }, hasTools, reasoning);
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
  if (!choices.includes('auto')) return { text, wire };
  return { text: [...text, ...TEXT_FORMATS], wire: [...WIRE_FORMATS] };
}

function buildPlan(chosen: Chosen, hasTools: boolean, reasoning: ReasoningMode): Plan {
  const openers = chosen.text.filter((format) => hasTools || !format.declaredOnly).map(openerOf);
  const isBareRead = hasTools && chosen.text.some((format) => format.open === '');
  const marks = reasoning === 'use' ? [] : REASONING_MARKS.flatMap(({ open, close }) => [open, close]);
  const sources = [...openers.flatMap((opener) => opener.patterns), ...[FENCE, ...marks].map(escapePattern)];
  return {
    openers,
    wire: chosen.wire,
    document: chosen.wire.length > 0 ? documentOpener(chosen.wire, isBareRead) : undefined,
    pattern: new RegExp([...new Set(sources)].join('|'), 'g'),
    reasoning,
  };
}
