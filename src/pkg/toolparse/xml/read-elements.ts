/** An element at the top of a text: its name, and its raw content. */
export interface XmlElement {
  readonly name: string;
  readonly content: string;
  /** Whether it is one tag with nothing inside: `<br/>`. */
  readonly isBare?: boolean;
}

export interface XmlReading {
  readonly elements: readonly XmlElement[];
  /** Text that stands outside of them. */
  readonly rest: string;
  readonly fixes: readonly string[];
}

const OPEN = /<([A-Za-z0-9_][\w.:-]{0,127})((?:\s[^<>]{0,512})?\/?)>/g;
const CLOSE = /<\/\s{0,16}([\w.:-]{1,128})\s{0,16}>/g;

/**
 * Finds the elements at the top of a text. `isKnown` says which names may be siblings: an element ends at the closing
 * tag that one of them, or nothing, follows, for its content may hold markup of its own.
 */
export function readElements(text: string, isKnown: (name: string) => boolean): XmlReading {
  const elements: XmlElement[] = [];
  const fixes = new Set<string>();
  const closings = new Closings(text);
  let rest = '';
  let at = 0;
  for (;;) {
    OPEN.lastIndex = at;
    const match = OPEN.exec(text);
    if (!match?.[1]) break;
    rest += text.slice(at, match.index);
    const from = match.index + match[0].length;
    if (match[2]?.endsWith('/')) {
      elements.push({ name: match[1], content: '', isBare: true });
      at = from;
      continue;
    }
    const end = closings.endOf(match[1], from, isKnown);
    if (!end.isClosed) fixes.add('missing closing tag');
    elements.push({ name: match[1], content: text.slice(from, end.at) });
    at = end.next;
  }
  rest += text.slice(at);
  return { elements, rest: rest.replace(CLOSE, ''), fixes: [...fixes] };
}

interface End {
  readonly at: number;
  readonly next: number;
  readonly isClosed: boolean;
}

interface Closing {
  readonly at: number;
  readonly end: number;
}

/** The closing tags of a text by name, found in one pass. */
class Closings {
  #found: ReadonlyMap<string, readonly Closing[]> | undefined;

  constructor(readonly text: string) {}

  endOf(name: string, from: number, isKnown: (name: string) => boolean): End {
    const list = this.#of(name);
    let index = lowerBound(list, from);
    for (let tries = 0; index < list.length && tries < 64; index += 1, tries += 1) {
      const close = list[index];
      if (close && this.#mayFollow(close.end, isKnown))
        return { at: close.at, next: close.end, isClosed: true };
    }
    return this.#unclosed(name, from, isKnown);
  }

  /** A closing tag ends its element when nothing follows, or an element that may. */
  #mayFollow(at: number, isKnown: (name: string) => boolean): boolean {
    const next = /^\s*(?:$|<\/|<([A-Za-z0-9_][\w.:-]{0,127})[\s/>])/.exec(this.text.slice(at, at + 400));
    return next !== null && (next[1] === undefined || isKnown(next[1]));
  }

  /** Without a clear end, it ends at the first tag that closes nothing inside it, at the next sibling, or with the text. */
  #unclosed(own: string, from: number, isKnown: (name: string) => boolean): End {
    const tag = /<(\/?)\s{0,16}([A-Za-z0-9_][\w.:-]{0,127})[^<>]{0,256}>/g;
    tag.lastIndex = from;
    const open: string[] = [];
    for (let match = tag.exec(this.text); match; match = tag.exec(this.text)) {
      const name = match[2] ?? '';
      const isInside = match[1] === '/' && open.at(-1) === name;
      if (isInside) open.pop();
      else if (match[1] === '/') return { at: match.index, next: tag.lastIndex, isClosed: name === own };
      else if (open.length === 0 && isKnown(name))
        return { at: match.index, next: match.index, isClosed: false };
      else open.push(name);
    }
    return { at: this.text.length, next: this.text.length, isClosed: false };
  }

  #of(name: string): readonly Closing[] {
    this.#found ??= collectClosings(this.text);
    return this.#found.get(name) ?? [];
  }
}

function collectClosings(text: string): ReadonlyMap<string, readonly Closing[]> {
  const found = new Map<string, Closing[]>();
  for (const match of text.matchAll(CLOSE)) {
    const name = match[1] ?? '';
    const closing = { at: match.index, end: match.index + match[0].length };
    const list = found.get(name);
    if (list) list.push(closing);
    else found.set(name, [closing]);
  }
  return found;
}

function lowerBound(list: readonly { readonly at: number }[], from: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.at ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
