import { ElementFrame } from '../scan/element-frame.js';
import type { TextView } from '../scan/text-view.js';
import type { ToolSpec } from '../types.js';
import type { ElementBody, FormatDeclaration } from './declaration.js';
import type { Opener, Opening, Place } from './opener.js';

/** The formats that elements are read in, by what they hold. */
export type ElementFormats = Partial<Readonly<Record<ElementBody['content'], string>>>;

const TAG = /<[ \t]{0,8}([A-Za-z_][\w.:-]{0,127})/y;
const INSIDE = /[^<>]{0,512}/y;

/** Opens a tag that is named after a declared tool. */
export function elementOpener(declaration: FormatDeclaration, body: ElementBody): Opener {
  return elementsOpener({ [body.content]: declaration.id });
}

/** The same for several formats at once: what is inside the tag says which it is. */
export function elementsOpener(formats: ElementFormats): Opener {
  return {
    patterns: ['<(?=[A-Za-z_ ])'],
    heads: ['<'],
    isLoose: true,
    open: (view, index, place) => openTag(formats, { view, index }, place),
  };
}

interface At {
  readonly view: TextView;
  readonly index: number;
}

function openTag(formats: ElementFormats, { view, index }: At, place: Place): Opening {
  const found = toolAt({ view, index }, place.tools);
  if (typeof found !== 'object') return found;
  const { name } = found;
  const nameEnd = view.text.indexOf(name, index) + name.length;
  INSIDE.lastIndex = nameEnd;
  const inside = INSIDE.exec(view.text)?.[0] ?? '';
  const stop = nameEnd + inside.length;
  if (stop >= view.text.length && !view.final && inside.length < 512) return 'partial';
  const startsLine = place.startsLine(view.text, index);
  const tag = { tool: found, start: view.base + index, inside, stop: view.base + stop, startsLine };
  return frameOf(formats, tag, view.text[stop]);
}

/** The declared tool that a tag here is named after. */
function toolAt({ view, index }: At, tools: Place['tools']): ToolSpec | 'partial' | undefined {
  if (tools.size === 0) return undefined;
  TAG.lastIndex = index;
  const name = TAG.exec(view.text)?.[1];
  if (name === undefined) return !view.final && isBlankTail(view, index) ? 'partial' : undefined;
  const isTorn = !view.final && TAG.lastIndex >= view.text.length;
  if (isTorn) return [...tools.keys()].some((tool) => tool.startsWith(name)) ? 'partial' : undefined;
  return tools.get(name);
}

interface Tag {
  readonly tool: ToolSpec;
  readonly start: number;
  /** What stands between the name and `stop`. */
  readonly inside: string;
  readonly stop: number;
  readonly startsLine: boolean;
}

function frameOf(formats: ElementFormats, tag: Tag, char: string | undefined): Opening {
  const { tool, start, inside, stop, startsLine } = tag;
  const spec = { formats, tool, start, startsLine };
  if (char === '>' && /^(?:\s|\/?$)/.test(inside)) {
    const isSelfClosed = inside.endsWith('/');
    const attributes = isSelfClosed ? inside.slice(0, -1) : inside;
    return new ElementFrame({ ...spec, bodyAt: stop + 1, attributes, isSelfClosed, form: 'tag' });
  }
  // `<name` and a line break, without the bracket: what follows are the parameters, up to `/>`.
  const isUnclosedTag = char === '<' && /^\s*\n\s*$/.test(inside);
  return isUnclosedTag
    ? new ElementFrame({ ...spec, bodyAt: stop, attributes: '', isSelfClosed: false, form: 'torn' })
    : undefined;
}

function isBlankTail({ text }: TextView, index: number): boolean {
  return text.length - index <= 9 && text.slice(index + 1).trim() === '';
}
