import type { TagGrammar } from './tag-grammar.js';
import type { QuoteKind } from './tag-quote.js';
import { Template } from './template.js';

/** Tags that calls are written in by formats that close their parameters alike. */
const CALL_TAGS = ['function', 'invoke', 'tool_call'];
/** What such a tag holds: a parameter, or a call that it wraps. */
const CALL_BODIES = ['<{ns}param', '<{ns}invoke', '<function', '<tool_', '{name} <arg_key>'].map(
  (mark) => new Template(mark),
);
const CLOSING_TAG = /^<\/(?:\{ns\})?([^<>{} ]+)>$/;
const OPENING_TAG = /^<(?:\{ns\})?([^<>{}\s="]+)/;

type CallMarks = Pick<TagGrammar, 'open' | 'close' | 'wrapperOpen' | 'wrapperClose' | 'parameters' | 'skip'>;

/** The closing marks that belong to an opening one: those with its tag, or all where none has. */
export function closesOf(open: Template, close: readonly Template[]): readonly Template[] {
  const tag = OPENING_TAG.exec(open.source)?.[1];
  const own = close.filter(({ source }) => CLOSING_TAG.exec(source)?.[1] === tag);
  return own.length > 0 ? own : close;
}

/** What a value may quote: calls of its own format, and tags whose closing tags look like the end of its own call. */
export function quoteKinds(marks: CallMarks): readonly QuoteKind[] {
  const { open, close, wrapperOpen, wrapperClose, parameters, skip } = marks;
  const inside = [...close, ...parameters.map((pair) => pair.open), ...skip];
  const wrappers = wrapperOpen.length > 0 ? [{ open: wrapperOpen, close: wrapperClose, inside: open }] : [];
  const calls = open.map((one) => ({ open: [one], close: closesOf(one, close), inside }));
  const values = parameters.map((pair) => pair.close);
  return [...wrappers, ...calls, ...tagsLike([...close, ...wrapperClose], values)];
}

/** Where neither calls nor values are closed by tags, nothing else looks like theirs. */
function tagsLike(calls: readonly Template[], values: readonly Template[]): readonly QuoteKind[] {
  const closes = [...calls, ...values];
  if (!closes.some(({ source }) => CLOSING_TAG.test(source))) return [];
  const own = calls.flatMap(({ source }) => CLOSING_TAG.exec(source)?.[1] ?? []);
  const ns = closes.some((close) => close.has('ns')) ? '{ns}' : '';
  return [...new Set([...own, ...CALL_TAGS])].map((tag) => ({
    open: [new Template(`<${ns}${tag}{any}>`)],
    close: [new Template(`</${ns}${tag}>`)],
    inside: CALL_BODIES,
  }));
}
