import { mendJson } from '../json/mend-json.js';
import { tryParse } from '../json/own.js';
import { type BodyReading, MarkedFrame } from '../scan/marked-frame.js';
import { skipBlanks } from '../scan/match-mark.js';
import { Template } from '../scan/template.js';
import { QuoteTracker } from '../scan/tracker.js';
import { type FormatDeclaration, listMarks, type QuotedBody } from './declaration.js';
import { headsOf, namedBy, type Opener, openFirst } from './opener.js';

const MAX_BLANKS = 64;

/** Opens a format whose arguments are an object with strings between marks of its own. */
export function quotedOpener(declaration: FormatDeclaration, body: QuotedBody): Opener {
  const templates = listMarks(declaration.open).map((mark) => new Template(mark));
  return {
    patterns: templates.map((template) => template.leadingPattern),
    heads: headsOf(templates),
    open: (view, index, place) =>
      openFirst(templates, { view, index }, (end, filled) => {
        const bodyAt = skipBlanks(view.text, end, MAX_BLANKS);
        if (bodyAt >= view.text.length) return 'partial';
        const { name } = namedBy(filled);
        if (name === undefined || view.text[bodyAt] !== '{') return undefined;
        return new MarkedFrame({
          format: declaration.id,
          start: view.base + index,
          bodyAt: view.base + bodyAt,
          close: listMarks(declaration.close),
          restart: templates[0]?.leadingText ?? '',
          declaredOnly: (declaration.declaredOnly ?? false) || place.inFence,
          tentative: false,
          tracker: new QuoteTracker(body.quote),
          readBody: (text, isClosed) => readQuoted(name, text, { quote: body.quote, isClosed }),
        });
      }),
  };
}

interface Quoting {
  readonly quote: string;
  readonly isClosed: boolean;
}

/** With its strings written as JSON, the rest is JSON without quotes around the keys, which is how the format is. */
function readQuoted(name: string, text: string, { quote, isClosed }: Quoting): BodyReading | undefined {
  const parts = text.split(quote);
  const json = parts.map((part, index) => (index % 2 === 1 ? JSON.stringify(part) : part)).join('');
  const isCut = parts.length % 2 === 0;
  const value = tryParse(json);
  const mended = value === undefined ? mendJson(isCut ? json.slice(0, -1) : json) : undefined;
  const args = value ?? mended?.value;
  if (args === undefined) return undefined;
  const usual = new Set(['unquoted key', 'unquoted value']);
  const draft = {
    name,
    arguments: { kind: 'json', value: args },
    complete: (isClosed || (mended?.openDepth ?? 0) === 0) && !isCut,
    fixes: (mended?.fixes ?? []).filter((fix) => !usual.has(fix)),
  } as const;
  return { drafts: [draft], length: text.length };
}
