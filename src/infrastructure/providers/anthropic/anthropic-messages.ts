import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message, ToolMessage } from '../../../domain/message.js';
import { orPlaceholder, wireName } from '../http/call-values.js';
import { isUnsigned, isWireBlock, type RawMessage } from './anthropic-wire.js';

/** Marks the end of what stays the same from turn to turn, so that the provider reads it from its cache. */
export const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;

/** A message as the API takes it; nothing for one that the API would refuse because it is empty. */
export function wireMessage(
  message: Exclude<Message, { role: 'system' }>,
  mustBeSigned: boolean,
): JsonObject | undefined {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: orPlaceholder(message.content) }] };
    case 'tool':
      return { role: 'user', content: message.results.map(resultBlock) };
    case 'assistant':
      return assistantMessage(message, mustBeSigned);
    default:
      return message satisfies never;
  }
}

/** The message with the mark on its last block. An assistant's message stays as it is: its blocks may be signed. */
export function withCacheMark(message: JsonObject): JsonObject {
  const { role, content } = message;
  if (role !== 'user' || !Array.isArray(content)) return message;
  const blocks = content as readonly JsonObject[];
  const last = blocks.at(-1);
  return last ? { ...message, content: [...blocks.slice(0, -1), { ...last, ...CACHE_MARK }] } : message;
}

/** The provider's own message if this is one of its own, otherwise what another model said. */
function isRaw(raw: Json | undefined): raw is RawMessage {
  if (!isJsonObject(raw) || raw.role !== 'assistant' || !Array.isArray(raw.content)) return false;
  return (raw.content as readonly Json[]).every(isWireBlock);
}

function assistantMessage(message: AssistantMessage, mustBeSigned: boolean): JsonObject | undefined {
  if (isRaw(message.raw)) return ownMessage(message.raw, message, mustBeSigned);
  const text = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }];
  const calls = message.calls.map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id,
    name: wireName(name),
    input: isJsonObject(input) ? input : {},
  }));
  const content = [...text, ...calls];
  return content.length > 0 ? { role: 'assistant', content } : undefined;
}

/** The model's message as it came, its calls under the ids that their results have: a gateway may give none, or one twice. */
function ownMessage(
  raw: RawMessage,
  { calls }: AssistantMessage,
  mustBeSigned: boolean,
): JsonObject | undefined {
  let place = 0;
  const taken = raw.content.filter((block) => !(mustBeSigned && isUnsigned(block)));
  const content = taken.map((block) => {
    if (block.type !== 'tool_use') return block;
    const { id = '', name = '' } = calls[place] ?? {};
    place += 1;
    return { ...block, id, name: wireName(name) };
  });
  return content.length > 0 ? { ...raw, content } : undefined;
}

function resultBlock({ callId, output, isError }: ToolMessage['results'][number]): JsonObject {
  const block = { type: 'tool_result', tool_use_id: callId, content: output };
  // A failure without a word is refused.
  return isError ? { ...block, content: orPlaceholder(output), is_error: true } : block;
}
