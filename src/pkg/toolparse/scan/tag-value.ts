import { type MarkMatch, matchMark, skipBlanks } from './match-mark.js';
import type { TagGrammar, TagParameterMarks } from './tag-grammar.js';
import { hasPrefix, MAX_LEAD, type QuoteKind } from './tag-quote.js';
import { escapePattern, type Filled, type Template } from './template.js';
import type { TextView } from './text-view.js';
import { ValueQuotes } from './value-quotes.js';

/** Between a closing tag and what follows it; the text is held back that long. */
const MAX_BLANKS = 256;
/** How far a tag that may end the value is remembered: the text behind it is held back that long. */
const MAX_HELD = 1024;
/** So much text, its closing tag included, may stand between a value and the next tag. */
const MAX_STRAY = 128;

const SECTION = '<![CDATA[';

type Kind = 'own' | 'open' | 'close';

/** A tag that ends the value, or does not: what comes behind it tells. */
interface Candidate {
  readonly at: number;
  readonly kind: Kind;
}

/** Where a value ends, and whether its own closing tag ends it. */
export interface ValueEnd {
  readonly at: number;
  readonly isClosed: boolean;
  /** Set when the call ends here too, for what follows fits nowhere. */
  readonly isLast?: boolean;
  /** Where the call goes on, when text that belongs to nothing stands between. */
  readonly next?: number;
  /** Set when as much speaks for another end. */
  readonly isAmbiguous?: boolean;
}

/** The call that a value belongs to. */
export interface ValueOwner {
  readonly grammar: TagGrammar;
  /** What closes the call. */
  readonly close: readonly Template[];
  /** The XML prefix of its tags. */
  readonly prefix: string;
}

/**
 * Looks for the end of a raw value. Its closing tag ends it where that is followed by something that may follow it;
 * other tags of the format end it only when they come without the closing tag, for models quote tags and forget them.
 * A whole call inside it is quoted: to run what a file only tells of would be worse than to miss a call.
 */
export class TagValue {
  readonly #owner: ValueOwner;
  readonly close: string;
  readonly #marks: RegExp;
  readonly #opens: readonly Template[];
  readonly #closes: readonly Template[];
  #cursor: number;
  #candidate: Candidate | undefined;
  /** The first closing tag of its own, which did not seem to be the end. */
  #doubtful = -1;
  #section: 'unknown' | 'open' | 'none' = 'unknown';
  readonly #quotes: ValueQuotes;

  constructor(
    owner: ValueOwner,
    readonly from: number,
    marks: TagParameterMarks,
    filled: Filled,
  ) {
    const { grammar } = owner;
    this.#owner = owner;
    this.#cursor = from;
    this.#quotes = new ValueQuotes(grammar.quotes, owner.prefix);
    this.close = marks.close.fill(filled);
    this.#opens = grammar.parameters.filter((one) => isTelling(one, marks)).map(({ open }) => open);
    this.#closes = [...owner.close, ...grammar.wrapperClose];
    const quoted = grammar.quotes.flatMap(({ open }) => open);
    const leads = [...this.#opens, ...this.#closes, ...quoted].map((mark) => mark.leadingPattern);
    const own = this.close === '' ? [] : [escapePattern(this.close)];
    this.#marks = new RegExp([...own, ...new Set(leads), '\\]\\]>'].join('|'), 'g');
  }

  /** Whether a call stands inside it. */
  get isQuoting(): boolean {
    return this.#quotes.hasCall;
  }

  /** The end; or undefined when more text is wanted, `heldFrom` of it kept. */
  find(view: TextView): ValueEnd | undefined {
    if (this.#section === 'unknown' && this.#findSection(view) === 'wait') return undefined;
    let step: ValueEnd | 'wait' | 'on' = 'on';
    while (step === 'on') step = this.#step(view);
    return step === 'wait' ? undefined : step;
  }

  #step(view: TextView): ValueEnd | 'wait' | 'on' {
    if (this.#quotes.isOpen) return this.#leaveQuote(view);
    this.#marks.lastIndex = this.#cursor - view.base;
    const index = this.#marks.exec(view.text)?.index;
    const overdue = this.#overdue(index === undefined ? view.end : view.base + index);
    if (overdue) return overdue;
    if (index === undefined) return this.#runDry(view) ?? 'wait';
    this.#cursor = view.base + index;
    const step = this.#decide(view, index);
    const isUndecided = step === 'wait' && !view.final;
    if (isUndecided || typeof step === 'object') return step;
    this.#cursor += 1;
    return 'on';
  }

  /** Everything before this offset can be let go. One character more tells whether a tag begins its line. */
  get heldFrom(): number {
    return Math.max(this.from, (this.#quotes.heldFrom ?? this.#candidate?.at ?? this.#cursor) - 1);
  }

  #runDry(view: TextView): ValueEnd | undefined {
    if (view.final) return this.#lastResort();
    this.#cursor = Math.max(this.#cursor, view.end - MAX_LEAD);
    return undefined;
  }

  /** The response is over: an end that seemed none is better than no end at all. */
  #lastResort(): ValueEnd | undefined {
    if (this.#candidate) return this.#endAt(this.#candidate);
    return this.#doubtful < 0 ? undefined : { at: this.#doubtful, isClosed: true, isLast: true };
  }

  /** Whether the value begins with a CDATA section, as far as can be told. */
  #findSection(view: TextView): 'wait' | 'on' {
    const from = this.from - view.base;
    const start = view.text.slice(from, from + MAX_LEAD);
    const head = start.trimStart().slice(0, SECTION.length);
    const isTorn = start.length < MAX_LEAD && head.length < SECTION.length && SECTION.startsWith(head);
    if (isTorn && !view.final) return 'wait';
    this.#section = head === SECTION ? 'open' : 'none';
    return 'on';
  }

  /** Inside a section everything is text, its own closing tag too, unless the section is never closed. */
  #inSection(view: TextView, index: number): ValueEnd | 'wait' | 'on' {
    if (view.text.startsWith(']]>', index)) {
      this.#section = 'none';
      this.#candidate = undefined;
      return 'on';
    }
    if (!this.#isOwnClose(view, index)) return this.#openAt(view, index) ?? 'on';
    const follows = this.#follows(view, index + this.close.length);
    if (follows === 'wait' && !view.final) return 'wait';
    if (follows !== 'misfit') this.#candidate ??= { at: view.base + index, kind: 'own' };
    return 'on';
  }

  #overdue(reached: number): ValueEnd | undefined {
    const candidate = this.#candidate;
    if (!candidate || reached - candidate.at <= MAX_HELD) return undefined;
    this.#candidate = undefined;
    // A call's end with this much behind it was one; a parameter's tag that nothing closes was only mentioned.
    if (candidate.kind === 'open') return undefined;
    return { ...this.#endAt(candidate), ...(candidate.kind === 'own' ? { isAmbiguous: true } : {}) };
  }

  #endAt({ at, kind }: Candidate): ValueEnd {
    return kind === 'own' ? { at, isClosed: true } : this.#unclosed(at);
  }

  /**
   * Without a closing tag before `at`, one shortly before it that did not seem to be the end was: a few stray words
   * follow it. More than a few are the value's own, which then speaks of the tag and lacks it.
   */
  #unclosed(at: number): ValueEnd {
    const isStray = this.#doubtful >= 0 && at > this.#doubtful && at - this.#doubtful <= MAX_STRAY;
    return isStray ? { at: this.#doubtful, isClosed: true, next: at } : { at, isClosed: false };
  }

  #decide(view: TextView, index: number): ValueEnd | 'wait' | 'on' {
    if (this.#section === 'open') return this.#inSection(view, index);
    if (this.#isOwnClose(view, index)) return this.#ownClose(view, index);
    const call = this.#openAt(view, index);
    if (call) return call;
    const match = matchMark([...this.#opens, ...this.#closes], view, index);
    if (typeof match === 'string') return match === 'wait' ? 'wait' : 'on';
    if (!hasPrefix(match.filled, match.template, this.#owner.prefix)) return 'on';
    if (!this.#closes.includes(match.template)) return this.#foreignOpen(view, index);
    return this.#quotes.closes(match.template) ? 'on' : this.#foreignClose(view.base + index);
  }

  #isOwnClose(view: TextView, index: number): boolean {
    return this.close !== '' && view.text.startsWith(this.close, index);
  }

  /** What becomes of a call that opens here; undefined when none does. */
  #openAt(view: TextView, index: number): ValueEnd | 'wait' | 'on' | undefined {
    const opening = this.#quotes.at(view, index);
    if (opening === undefined || opening === 'wait') return opening;
    return opening === 'mention' ? 'on' : this.#enterQuote(view, index, opening);
  }

  /** A call opens. Right behind what ends ours it is the next one, and else it is quoted. */
  #enterQuote(view: TextView, index: number, kind: QuoteKind): ValueEnd | 'on' {
    const at = view.base + index;
    if (this.close === '') return { at, isClosed: false };
    const candidate = this.#candidate;
    if (candidate && this.#onlyCloses(view, candidate, index)) return this.#endAt(candidate);
    this.#candidate = undefined;
    // What seemed to close the value before is as little its end as what is quoted.
    this.#doubtful = -1;
    this.#quotes.enter(kind, at, this.#section === 'open');
    return 'on';
  }

  #leaveQuote(view: TextView): 'wait' | 'on' {
    const end = this.#quotes.leave(view);
    this.#cursor = end ?? this.#cursor;
    return end === undefined ? 'wait' : 'on';
  }

  /** Whether nothing but closing marks and blanks stands between a closing mark and this place. */
  #onlyCloses(view: TextView, candidate: Candidate, to: number): boolean {
    const from = candidate.at - view.base;
    let at = candidate.kind === 'own' ? skipBlanks(view.text, from + this.close.length) : from;
    while (at < to) {
      const match = matchMark(this.#closes, view, at);
      if (typeof match === 'string') return false;
      at = skipBlanks(view.text, match.end);
    }
    return true;
  }

  #ownClose(view: TextView, index: number): ValueEnd | 'wait' | 'on' {
    const follows = this.#follows(view, index + this.close.length);
    if (follows === 'wait' && !view.final) return 'wait';
    const candidate = this.#candidate;
    this.#candidate = undefined;
    if (follows === 'misfit') {
      if (this.#doubtful < 0) this.#doubtful = view.base + index;
      return 'on';
    }
    // Something opened since: this closing tag is that one's, and ours is missing.
    if (candidate?.kind === 'open') return this.#unclosed(candidate.at);
    return { at: view.base + index, isClosed: true };
  }

  #foreignOpen(view: TextView, index: number): ValueEnd | 'on' {
    const at = view.base + index;
    if (this.#candidate?.kind === 'close') return this.#unclosed(this.#candidate.at);
    const beginsLine = at === this.from || view.text[index - 1] === '\n';
    if (beginsLine || this.close === '') return this.#unclosed(at);
    this.#candidate ??= { at, kind: 'open' };
    return 'on';
  }

  #foreignClose(at: number): ValueEnd | 'on' {
    if (this.close === '') return { at, isClosed: false };
    this.#candidate ??= { at, kind: 'close' };
    return 'on';
  }

  #follows(view: TextView, at: number): 'on' | 'wait' | 'misfit' {
    const { close, parameters, ends, skip } = this.#owner.grammar;
    const marks = [...close, ...parameters.map(({ open }) => open), ...ends, ...skip];
    return isThere(matchMark(marks, view, skipBlanks(view.text, at, MAX_BLANKS)));
  }
}

/** A tag named after its parameter looks like any other tag, and one that is closed otherwise is not of the kind. */
function isTelling({ close }: TagParameterMarks, own: TagParameterMarks): boolean {
  if (close.has('key')) return false;
  return close.source === own.close.source || close.source === '' || own.close.source === '';
}

function isThere(match: MarkMatch | 'wait' | 'misfit'): 'on' | 'wait' | 'misfit' {
  return typeof match === 'string' ? match : 'on';
}
