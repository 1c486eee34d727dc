import { skipBlanks } from '../scan/match-mark.js';
import { Template } from '../scan/template.js';
import { couldBe, type TextView } from '../scan/text-view.js';
import { WrapFrame } from '../scan/wrap-frame.js';
import { type FormatDeclaration, listMarks } from './declaration.js';
import { headsOf, type Opener, type Opening, openFirst, type Place } from './opener.js';
import { openerOf } from './text-format.js';

const MAX_BLANKS = 64;

/**
 * Opens the tags around several calls. Models mix dialects, so calls of any of the `others` are read inside, those of
 * the wrapper's own format first.
 */
export function wrappedOpener(declaration: FormatDeclaration, others: readonly Opener[]): Opener | undefined {
  const { wrapper } = declaration;
  if (!wrapper) return undefined;
  const open = listMarks(wrapper.open).map((mark) => new Template(mark));
  const close = listMarks(wrapper.close).map((mark) => new Template(mark));
  const inner = [openerOf(declaration), ...others];
  return {
    patterns: open.map((mark) => mark.leadingPattern),
    heads: headsOf(open),
    open: (view, index, place) => {
      const openInner = (from: TextView, at: number) => openAny(inner, { view: from, index: at }, place);
      return openFirst(open, { view, index }, (end) => {
        const callAt = skipBlanks(view.text, end, MAX_BLANKS);
        if (callAt >= view.text.length) return 'partial';
        const first = openInner(view, callAt);
        if (first === undefined || first === 'partial') return first;
        const start = view.base + index;
        return new WrapFrame({ format: declaration.id, start, first, close, open: openInner });
      });
    },
  };
}

function openAny(
  openers: readonly Opener[],
  { view, index }: { readonly view: TextView; readonly index: number },
  place: Place,
): Opening {
  for (const opener of openers) {
    if (!opener.heads?.some((head) => couldBe(head, view.text, index))) continue;
    const opening = opener.open(view, index, place);
    if (opening !== undefined) return opening;
  }
  return undefined;
}
