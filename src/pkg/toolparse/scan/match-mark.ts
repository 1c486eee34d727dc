import { isBlankCode } from '../json/json-walker.js';
import type { Template, TemplateMatch } from './template.js';
import type { TextView } from './text-view.js';

export interface MarkMatch extends TemplateMatch {
  readonly template: Template;
}

/** The first of the marks that stands at `from`; `wait` when more text could make it one. */
export function matchMark(
  marks: readonly Template[],
  view: TextView,
  from: number,
): MarkMatch | 'wait' | 'misfit' {
  let waits = false;
  for (const template of marks) {
    const match = template.match(view.text, from);
    if (match.status === 'match') return { ...match, template };
    // An earlier mark that may still come wins over a later one that is there, or the cutting of the text would show.
    if (match.status === 'partial' && !view.final) return 'wait';
    waits ||= match.status === 'partial';
  }
  return waits ? 'wait' : 'misfit';
}

/** The next index that is not blank, or the one at the limit. */
export function skipBlanks(text: string, from: number, limit = Number.POSITIVE_INFINITY): number {
  let index = from;
  while (index < text.length && index - from < limit && isBlankCode(text.charCodeAt(index))) index += 1;
  return index;
}
