import { isBlankCode } from '../json/json-walker.js';

export type Slot = 'name' | 'id' | 'call' | 'key' | 'type' | 'word' | 'any' | 'ns';
export type Filled = { readonly [slot in Slot]?: string };

/** `partial`: all of the text fits so far, and more text could complete it. */
export interface TemplateMatch {
  readonly status: 'match' | 'partial' | 'fail';
  readonly end: number;
  readonly filled: Filled;
}

type Atom = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'blank' | 'quote' | Slot };

const MAX_BLANKS = 64;
const TOKEN = /\{(name|id|call|key|type|word|any|ns)\}|"| +|[^{" ]+|\{/g;
/** What a slot may hold, with the most it may: so a mark has a longest length, and a search for it an end. */
const SLOTS: Readonly<
  Record<Slot, { readonly pattern: RegExp; readonly min: number; readonly max: number }>
> = {
  name: { pattern: /[^\s"'`<>(){}[\]=,;]{0,129}/y, min: 1, max: 128 },
  id: { pattern: /[^\s"'`<>(){}[\]=,;]{0,129}/y, min: 1, max: 128 },
  call: { pattern: /[^\s"'`<>(){}[\]=,;]{0,129}/y, min: 1, max: 128 },
  key: { pattern: /(?!\/)[^"'<>{}\n\r]{0,129}/y, min: 1, max: 128 },
  type: { pattern: /[A-Za-z_]{0,25}/y, min: 1, max: 24 },
  any: { pattern: /[^\n\r{}]{0,97}/y, min: 0, max: 96 },
  word: { pattern: /[A-Za-z_-]{0,25}/y, min: 0, max: 24 },
  ns: { pattern: /[A-Za-z][\w.-]{0,32}/y, min: 0, max: 32 },
};
const MISFIT: TemplateMatch = { status: 'fail', end: 0, filled: {} };
const FAIL = -1;
const PARTIAL = -2;

/** A mark such as `<invoke name="{name}">`, compiled. Quotes match either kind. */
export class Template {
  readonly #atoms: readonly Atom[];
  /** The text that it begins with. */
  readonly head: string;
  /** Whether a letter follows the head: that of an XML prefix, or of the tag's name. */
  readonly #isPrefixed: boolean;

  constructor(readonly source: string) {
    this.#atoms = [...source.matchAll(TOKEN)].map(([token, slot]) => toAtom(token, slot));
    const [first, second, third] = this.#atoms;
    this.head = first?.kind === 'text' ? first.text : '';
    this.#isPrefixed = second?.kind === 'ns' && third?.kind === 'text' && /^[A-Za-z]/.test(third.text);
  }

  match(text: string, at: number): TemplateMatch {
    if (!this.#mayStart(text, at)) return MISFIT;
    const filled: { [slot in Slot]?: string } = {};
    let end = at;
    for (let index = 0; index < this.#atoms.length; index += 1) {
      const atom = this.#atoms[index] as Atom;
      const next = matchAtom(atom, text, { at: end, stop: textOf(this.#atoms[index + 1]) });
      if (next < 0) return { status: next === PARTIAL ? 'partial' : 'fail', end, filled };
      if (isSlot(atom.kind)) filled[atom.kind] = slotText(atom.kind, text.slice(end, next));
      end = next;
    }
    return { status: 'match', end, filled };
  }

  /** Most places are turned down by the first characters. */
  #mayStart(text: string, at: number): boolean {
    const rest = text.length - at;
    const { head } = this;
    if (rest <= head.length) return head.startsWith(text.slice(at));
    return text.startsWith(head, at) && !(this.#isPrefixed && !isLetter(text.charCodeAt(at + head.length)));
  }

  /** The mark as text, with its slots filled. */
  fill(filled: Filled): string {
    return this.#atoms.map((atom) => fillAtom(atom, filled)).join('');
  }

  /** A regular expression for the part that is the same in every such mark: what a search looks for. */
  get leadingPattern(): string {
    let pattern = '';
    for (const atom of this.#atoms) {
      if (atom.kind === 'text') pattern += escapePattern(atom.text);
      else if (atom.kind === 'ns') pattern += '(?:[A-Za-z][\\w.-]{0,31}:)?';
      else break;
    }
    return pattern;
  }

  /** The literal text that every such mark begins with; empty where a prefix may stand inside it. */
  get leadingText(): string {
    const [first, second] = this.#atoms;
    return first?.kind === 'text' && second?.kind !== 'ns' ? first.text : '';
  }

  has(slot: Slot): boolean {
    return this.#atoms.some((atom) => atom.kind === slot);
  }
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function toAtom(token: string, slot: string | undefined): Atom {
  if (slot !== undefined) return { kind: slot as Slot };
  if (token === '"') return { kind: 'quote' };
  return token.startsWith(' ') ? { kind: 'blank' } : { kind: 'text', text: token };
}

function isSlot(kind: Atom['kind']): kind is Slot {
  return Object.hasOwn(SLOTS, kind);
}

/** A prefix is filled without its colon. */
function slotText(slot: Slot, text: string): string {
  return slot === 'ns' ? text.slice(0, -1) : text;
}

function fillAtom(atom: Atom, filled: Filled): string {
  if (atom.kind === 'text') return atom.text;
  if (atom.kind === 'quote') return '"';
  if (atom.kind === 'blank') return ' ';
  const value = filled[atom.kind] ?? '';
  return atom.kind === 'ns' && value !== '' ? `${value}:` : value;
}

interface Place {
  readonly at: number;
  /** The text that follows the atom in the mark: a slot ends where it begins. */
  readonly stop: string;
}

function textOf(atom: Atom | undefined): string {
  if (atom?.kind === 'quote') return '"';
  return atom?.kind === 'text' ? atom.text : '';
}

/** The index after the atom, or FAIL, or PARTIAL when the text ends inside it. */
function matchAtom(atom: Atom, text: string, { at, stop }: Place): number {
  if (atom.kind === 'text') return matchText(atom.text, text, at);
  if (atom.kind === 'blank') return matchBlank(text, at);
  if (at >= text.length) return PARTIAL;
  if (atom.kind === 'quote') return text[at] === '"' || text[at] === "'" ? at + 1 : FAIL;
  return atom.kind === 'ns' ? matchPrefix(text, at) : matchSlot(atom.kind, text, { at, stop });
}

function matchText(wanted: string, text: string, at: number): number {
  if (text.startsWith(wanted, at)) return at + wanted.length;
  const rest = text.length - at;
  return rest < wanted.length && text.endsWith(wanted.slice(0, rest)) ? PARTIAL : FAIL;
}

function matchBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at <= MAX_BLANKS) {
    const width = blankWidth(text, end);
    if (width === 0) break;
    end += width;
  }
  if (end - at > MAX_BLANKS) return FAIL;
  // A backslash at the end may be half of an escaped line break.
  const isTorn = end === text.length - 1 && text.charCodeAt(end) === 0x5c;
  return end < text.length && !isTorn ? end : PARTIAL;
}

/** Some servers pass on the letters that a tokenizer writes for a blank and a line break, or an escaped line break. */
function blankWidth(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isBlankCode(code) || code === 0x120 || code === 0x10a) return 1;
  return code === 0x5c && text.charCodeAt(at + 1) === 0x6e ? 2 : 0;
}

function matchSlot(slot: Slot, text: string, { at, stop }: Place): number {
  const { pattern, min, max } = SLOTS[slot];
  pattern.lastIndex = at;
  const run = pattern.exec(text)?.[0] ?? '';
  const stopAt = stop === '' ? -1 : text.slice(at, at + run.length + stop.length).indexOf(stop, min);
  const length = stopAt < 0 ? run.length : Math.min(stopAt, run.length);
  const isNearEnd = stopAt < 0 && at + max + stop.length > text.length;
  if (isNearEnd && mayStopLater(text.slice(at), run.length, stop)) return PARTIAL;
  if (length > max || (length < min && at + length < text.length)) return FAIL;
  return at + length < text.length ? at + length : PARTIAL;
}

/** Whether the text ends in the middle of what ends the slot. */
function mayStopLater(rest: string, longest: number, stop: string): boolean {
  const from = Math.max(0, rest.length - stop.length + 1);
  for (let index = from; index <= longest && index < rest.length; index += 1) {
    if (stop.startsWith(rest.slice(index))) return true;
  }
  return false;
}

function matchPrefix(text: string, at: number): number {
  const { pattern, max } = SLOTS.ns;
  pattern.lastIndex = at;
  const length = pattern.exec(text)?.[0].length ?? 0;
  if (at + length >= text.length) return length > max ? FAIL : PARTIAL;
  return length > 0 && length <= max && text[at + length] === ':' ? at + length + 1 : at;
}
