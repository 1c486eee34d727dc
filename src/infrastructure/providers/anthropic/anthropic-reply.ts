import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Usage } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import { textOf } from '../http/call-values.js';
import { cutMarks } from '../http/cut-reply.js';
import { failureOfBody } from '../http/error-body.js';
import { badReply, refused } from '../http/provider-error.js';
import {
  isBlank,
  isUnsigned,
  isWireBlock,
  type RawMessage,
  type WireBlock,
  type WireMessage,
} from './anthropic-wire.js';

/** A message that came whole. */
export function wholeMessage(body: JsonObject): WireMessage {
  if (body.type === 'error') throw failureOfBody(body);
  const { content, stop_reason: reason, usage } = body;
  if (!Array.isArray(content) || !(content as readonly Json[]).every(isWireBlock)) {
    throw badReply('the reply has no content');
  }
  return {
    content: content as readonly WireBlock[],
    stop_reason: typeof reason === 'string' ? reason : null,
    usage: isJsonObject(usage) ? usage : {},
    brokenInputs: new Map(),
  };
}

/** What the model said. A refusal is no answer: the API wants the turn forgotten, so it is a failure. */
export function assistantMessageOf(wire: WireMessage, usage: Usage | undefined): AssistantMessage {
  if (wire.stop_reason === 'refusal') throw refused(spokenText(wire) || 'no reason given', usage);
  const isCut = wire.stop_reason === 'max_tokens' || wire.stop_reason === 'model_context_window_exceeded';
  const last = wire.content.at(-1);
  const content = wire.content.filter(
    (block) => !isBlank(block) && !(isCut && block === last && isUnsigned(block)),
  );
  const raw: RawMessage = { role: 'assistant', content };
  return {
    role: 'assistant',
    content: spokenText(wire),
    calls: callsOf(wire, isCut),
    ...cutMarks(isCut ? (wire.stop_reason ?? '') : undefined),
    raw,
  };
}

/** Tokens, with what came from the cache and went into it, which the API counts apart. */
export function usageOf(usage: JsonObject): Usage | undefined {
  const count = (key: string) => (typeof usage[key] === 'number' ? usage[key] : undefined);
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  if (input === undefined && output === undefined) return undefined;
  const [read, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
  return {
    inputTokens: (input ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: output ?? 0,
    ...(read ? { cacheReadTokens: read } : {}),
    ...(written ? { cacheWriteTokens: written } : {}),
  };
}

function spokenText({ content }: WireMessage): string {
  return content.map(({ type, text }) => (type === 'text' ? textOf(text) : '')).join('');
}

/** A call that the reply was cut off in is the last block, and looks whole when its text happens to be JSON. */
function callsOf({ content, brokenInputs }: WireMessage, isCut: boolean): readonly RequestedCall[] {
  return content.flatMap((block, index) => {
    if (block.type !== 'tool_use') return [];
    const { id, name, input } = block;
    const call = {
      id: textOf(id),
      name: textOf(name),
      arguments: brokenInputs.get(index) ?? input ?? {},
    };
    return isCut && index === content.length - 1 ? [{ ...call, complete: false }] : [call];
  });
}
