import { CodeWalker } from '../code/code-walker.js';
import { readCodeBody } from '../code/read-code-body.js';
import { BracketFrame } from '../scan/bracket-frame.js';
import { MarkedFrame } from '../scan/marked-frame.js';
import { skipBlanks } from '../scan/match-mark.js';
import { Template } from '../scan/template.js';
import type { TextView } from '../scan/text-view.js';
import { type FormatDeclaration, listMarks } from './declaration.js';
import { isJoinedBefore, isJoinedBehind } from './in-sentence.js';
import { headsOf, type Opener, type Opening, openFirst, type Place } from './opener.js';

const MAX_BLANKS = 64;
const CALL = /\[?\s{0,64}(?:print\s{0,8}\(\s{0,8})?([A-Za-z_][\w.-]{0,127})\s{0,8}(\()?/y;

/** Opens a format whose calls are code. */
export function codeOpener(declaration: FormatDeclaration): Opener {
  const templates = listMarks(declaration.open).map((mark) => new Template(mark));
  const isBare = declaration.open === '';
  return {
    patterns: isBare ? ['\\['] : templates.map((template) => template.leadingPattern),
    heads: isBare ? ['['] : headsOf(templates),
    isLoose: isBare,
    open: (view, index, place) =>
      isBare
        ? openBare(declaration, { view, index }, place)
        : openFirst(templates, { view, index }, (end) =>
            openMarked(declaration, { view, index, end }, place),
          ),
  };
}

interface At {
  readonly view: TextView;
  readonly index: number;
}

/** A list of calls that nothing marks: the first must be that of a declared tool. */
function openBare(declaration: FormatDeclaration, { view, index }: At, place: Place): Opening {
  const found = nameAt(view, index);
  if (typeof found !== 'object') return found;
  if (place.tools.size > 0 && !isDeclared(found.name, place)) return undefined;
  const line = place.lineBefore(view.text, index);
  if (isJoinedBefore(line)) return undefined;
  const at = view.base + index;
  return new BracketFrame({
    format: declaration.id,
    start: at,
    bodyAt: at,
    declaredOnly: true,
    tentative: true,
    readBody: readCodeBody,
    isSpokenOf: (rest) => isJoinedBehind(rest, line.trim() === ''),
  });
}

function openMarked(
  declaration: FormatDeclaration,
  { view, index, end }: At & { readonly end: number },
  place: Place,
): Opening {
  const bodyAt = skipBlanks(view.text, end, MAX_BLANKS);
  if (bodyAt >= view.text.length) return 'partial';
  const found = nameAt(view, bodyAt);
  const isJson = /^\[?\s*\{/.test(view.text.slice(bodyAt, bodyAt + MAX_BLANKS));
  if (!isJson && typeof found !== 'object') return found;
  const spec = {
    format: declaration.id,
    start: view.base + index,
    bodyAt: view.base + bodyAt,
    declaredOnly: (declaration.declaredOnly ?? false) || place.inFence,
    tentative: declaration.declaredOnly ?? false,
    readBody: readCodeBody,
  };
  const close = listMarks(declaration.close);
  if (close.length === 0) return new BracketFrame(spec);
  const restart = new Template(listMarks(declaration.open)[0] ?? '').leadingText;
  return new MarkedFrame({ ...spec, close, restart, tracker: new CodeWalker() });
}

/** The name of the call that begins here. */
function nameAt(view: TextView, index: number): { readonly name: string } | 'partial' | undefined {
  CALL.lastIndex = index;
  const match = CALL.exec(view.text);
  const end = match ? CALL.lastIndex : index + 1;
  // `print(` may yet turn out to be around the call.
  const isOpen = match?.[2] !== undefined && (match[1] !== 'print' || !isBlankFrom(view, end));
  if (!isOpen && !view.final && isBlankFrom(view, end)) return 'partial';
  return isOpen ? { name: match?.[1] ?? '' } : undefined;
}

/** Whether nothing but blanks are there as yet. */
function isBlankFrom({ text }: TextView, from: number): boolean {
  return text.length - from < MAX_BLANKS && text.slice(from).trim() === '';
}

function isDeclared(name: string, { tools }: Place): boolean {
  return (
    tools.has(name) ||
    tools.has(name.replace(/\.call$/, '')) ||
    tools.has(name.slice(name.lastIndexOf('.') + 1))
  );
}
