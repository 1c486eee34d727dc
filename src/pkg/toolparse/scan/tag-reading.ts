import { mendJson } from '../json/mend-json.js';
import { tryParse } from '../json/own.js';
import { repeatsKey } from '../json/repeated-keys.js';
import type { Draft } from './draft.js';
import type { Reading } from './frame.js';
import type { TagSpec } from './tag-frame.js';

const WRONG_CLOSE = /<\/(?:[A-Za-z][\w.-]{0,31}:)?(?:parameter|param)(?:=[^<>\n]{0,128})?>\s{0,64}$/;
const MAX_CLOSE = 256;

/** A call as the tag frame marks it out; offsets are absolute. */
export interface TagCall {
  readonly parameters: TagParameter[];
  /** A JSON body in place of parameters. */
  json?: { readonly from: number; readonly to: number };
  /** Whether its closing tag was there. */
  isClosed: boolean;
  /** Whether something showed that it had ended: its own closing tag, the wrapper's, or the next call. */
  isComplete: boolean;
  /** Whether the text ended in the middle of a mark that belongs to it. */
  isCut?: boolean;
  /** Whether text that is no parameter stands between them. */
  hasStrayText?: boolean;
  /** Whether a call stands in a value that nothing closes: quoted by it, or the next one. */
  isAmbiguous?: boolean;
}

interface TagParameter {
  readonly key: string;
  readonly type: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly isUnclosed: boolean;
}

export interface TagBlock {
  readonly spec: TagSpec;
  readonly call: TagCall;
  readonly end: number;
}

/** Turns the marked-out call of a tag frame into a draft; raw values stay raw until the schema is known. */
export function readTagCall(text: string, { spec, call, end }: TagBlock): Reading {
  const isEmpty = call.parameters.length === 0 && !call.json;
  // A tag with nothing in it that nothing closes is only spoken of.
  if (spec.name === '' || (isEmpty && !call.isComplete && !call.isCut))
    return { kind: 'text', resume: spec.start + 1 };
  const isBare = spec.mark.source.endsWith('{name}') && call.parameters.length === 0;
  if (isBare && isSpoken(text, spec, isEmpty)) return { kind: 'text', resume: spec.start + 1 };
  const draft = call.json
    ? jsonDraft(spec, call, text.slice(call.json.from - spec.start, call.json.to - spec.start))
    : parameterDraft(spec, call, text);
  // A word between tags is a name if a tool has it.
  return {
    kind: 'calls',
    format: spec.format,
    drafts: [draft],
    end,
    ...(isBare ? { needsDeclared: true } : {}),
  };
}

/** Whether a name stands between the tags as a word does in a sentence: calls are written without blanks, or on lines. */
function isSpoken(text: string, spec: TagSpec, isEmpty: boolean): boolean {
  const after = spec.bodyAt - spec.start;
  const before = after - spec.name.length - 1;
  return isBlank(text[before]) || (isEmpty && isBlank(text[after]));
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function parameterDraft(spec: TagSpec, call: TagCall, text: string): Draft {
  const { trim, nested } = spec.grammar;
  const list = call.parameters.map(({ key, type, from, to, isUnclosed }) => {
    const written = text.slice(from - spec.start, to - spec.start);
    const raw = isUnclosed && call.isComplete ? withoutClose(written) : written;
    return { key, type, nested, text: trim === 'line' ? trimLine(raw) : raw };
  });
  const unclosed = !call.isClosed || call.parameters.some(({ isUnclosed }) => isUnclosed);
  return {
    name: spec.name,
    id: spec.id,
    arguments: { kind: 'parameters', list },
    complete: call.isComplete && !call.isAmbiguous,
    isAmbiguous: call.isAmbiguous,
    fixes: call.hasStrayText ? ['text between parameters'] : [],
    unclosed,
  };
}

/** A value that nothing closes may end with a tag that was meant to: one with a name in it, or without its prefix. */
function withoutClose(text: string): string {
  const from = Math.max(0, text.length - MAX_CLOSE);
  const at = text.slice(from).search(WRONG_CLOSE);
  return at < 0 ? text : text.slice(0, from + at);
}

/** One line break on each side is part of how the tags are written; without the first, the last is the value's. */
function trimLine(text: string): string {
  const inner = text.replace(/^\r?\n/, '');
  return inner === text ? text : inner.replace(/\r?\n$/, '');
}

function jsonDraft(spec: TagSpec, call: TagCall, text: string): Draft {
  const draft = { name: spec.name, id: spec.id, complete: call.isComplete, unclosed: !call.isClosed };
  const value = tryParse(text);
  if (value !== undefined) {
    return { ...draft, arguments: { kind: 'json', value }, fixes: [], repeats: repeatsKey(text, value) };
  }
  const mended = mendJson(text);
  if (!mended) return { ...draft, arguments: { kind: 'unreadable', text }, fixes: [] };
  return { ...draft, arguments: { kind: 'json', value: mended.value }, fixes: mended.fixes };
}
