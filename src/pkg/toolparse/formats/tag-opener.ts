import { TagFrame } from '../scan/tag-frame.js';
import type { TagGrammar } from '../scan/tag-grammar.js';
import { compileTags } from '../scan/tag-grammar.js';
import { Template } from '../scan/template.js';
import { type FormatDeclaration, listMarks, type TagBody } from './declaration.js';
import { headsOf, namedBy, type Opener, openFirst } from './opener.js';

/** Opens a format whose parameters are tags. */
export function tagOpener(declaration: FormatDeclaration, body: TagBody): Opener {
  const open = listMarks(declaration.open).map((mark) => new Template(mark));
  const grammar: TagGrammar = compileTags(declaration, body, open);
  return {
    patterns: open.map((template) => template.leadingPattern),
    heads: headsOf(open),
    open: (view, index, place) =>
      openFirst(open, { view, index }, (end, filled, mark) => {
        const { name = '', id } = namedBy(filled);
        return new TagFrame({
          format: declaration.id,
          start: view.base + index,
          bodyAt: view.base + end,
          name,
          id,
          mark,
          filled,
          isSelfClosed: mark.source.endsWith('/>'),
          declaredOnly: (declaration.declaredOnly ?? false) || place.inFence,
          grammar,
        });
      }),
  };
}
