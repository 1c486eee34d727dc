import { mendJson } from '../json/mend-json.js';
import { tryParse } from '../json/own.js';
import { repeatsKey } from '../json/repeated-keys.js';
import type { Draft } from './draft.js';
import type { Reading } from './frame.js';
import type { TagSpec } from './tag-frame.js';

/** A call as the tag frame marks it out; offsets are absolute. */
export interface TagCall {
  readonly name: string;
  readonly parameters: TagParameter[];
  /** Whether its closing tag was there. */
  isClosed: boolean;
  /** Whether something showed that it had ended: its own closing tag, the wrapper's, or the next call. */
  isComplete: boolean;
  end: number;
}

interface TagParameter {
  /** Empty for a JSON body in place of parameters. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly isCut?: boolean;
}

export interface TagBlock {
  readonly spec: TagSpec;
  readonly calls: readonly TagCall[];
  readonly end: number;
  readonly isUnclosed: boolean;
}

/** Turns the marked-out calls of a tag frame into drafts; raw values stay raw until the schema is known. */
export function readTagBlock(text: string, block: TagBlock): Reading {
  const { spec, calls } = block;
  const last = calls.at(-1);
  const drafts = calls.flatMap((call) => draftOf(call, text, block, call === last));
  if (drafts.length > 0) return { kind: 'calls', format: spec.format, drafts, end: block.end };
  return { kind: 'text', resume: Math.max(spec.callAt, spec.start + 1) };
}

function draftOf(call: TagCall, text: string, block: TagBlock, isLast: boolean): readonly Draft[] {
  const { start } = block.spec;
  if (call.name === '') return [];
  const unclosed = !call.isClosed || (isLast && block.isUnclosed);
  const body = call.parameters.find((parameter) => parameter.key === '');
  if (body) return [jsonDraft(call, text.slice(body.from - start, body.to - start), unclosed)];
  const list = call.parameters.map(({ key, from, to }) => ({
    key,
    text: text.slice(from - start, to - start),
  }));
  return [
    {
      name: call.name,
      arguments: { kind: 'parameters', list },
      complete: call.isComplete,
      fixes: [],
      unclosed,
    },
  ];
}

function jsonDraft(call: TagCall, text: string, unclosed: boolean): Draft {
  const draft = { name: call.name, complete: call.isComplete, unclosed };
  const value = tryParse(text);
  if (value !== undefined) {
    return { ...draft, arguments: { kind: 'json', value }, fixes: [], repeats: repeatsKey(text, value) };
  }
  const mended = mendJson(text);
  if (!mended) return { ...draft, arguments: { kind: 'unreadable', text }, fixes: [] };
  return { ...draft, arguments: { kind: 'json', value: mended.value }, fixes: mended.fixes };
}
