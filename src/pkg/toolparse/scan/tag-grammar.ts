import { type FormatDeclaration, listMarks, type TagBody } from '../formats/declaration.js';
import { quoteKinds } from './quote-kinds.js';
import type { QuoteKind } from './tag-quote.js';
import { Template } from './template.js';

/** The marks of a format whose parameters are tags. */
export interface TagGrammar {
  readonly close: readonly Template[];
  /** What opens the next call, alone or with its wrapper, and what ends the wrapper: each ends a call that was not closed. */
  readonly open: readonly Template[];
  readonly wrapperOpen: readonly Template[];
  readonly wrapperClose: readonly Template[];
  readonly ends: readonly Template[];
  readonly parameters: readonly TagParameterMarks[];
  readonly skip: readonly Template[];
  /** What a value may quote. */
  readonly quotes: readonly QuoteKind[];
  readonly trim: 'line' | undefined;
  readonly nested: string | undefined;
}

export interface TagParameterMarks {
  readonly open: Template;
  /** Without source when the value has no end of its own. */
  readonly close: Template;
}

/** Compiles the marks of a declaration. */
export function compileTags(
  declaration: FormatDeclaration,
  body: TagBody,
  open: readonly Template[],
): TagGrammar {
  const { wrapper } = declaration;
  const compile = (marks: readonly string[]) => marks.map((mark) => new Template(mark));
  const pairs = 'open' in body.parameter ? [body.parameter] : body.parameter;
  const wrapperOpen = compile(listMarks(wrapper?.open));
  const wrapperClose = compile(listMarks(wrapper?.close));
  const marks = {
    close: compile(listMarks(declaration.close)),
    open,
    wrapperOpen,
    wrapperClose,
    parameters: pairs.map((pair) => ({ open: new Template(pair.open), close: new Template(pair.close) })),
    skip: compile(body.skip ?? []),
  };
  return {
    ...marks,
    ends: [...wrapperClose, ...wrapperOpen, ...open],
    quotes: quoteKinds(marks),
    trim: body.trim,
    nested: body.nested,
  };
}
