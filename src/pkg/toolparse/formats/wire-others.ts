import { isObject, own } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import type { WireCall, WireFormat } from './declaration.js';
import { joinText, listOf, stringOf } from './wire-values.js';

const STREAM_EVENT = { calls: [], text: '', cut: false, isStreamEvent: true } as const;
const ANTHROPIC_EVENTS = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;

/** `content[]` blocks of type `tool_use`; `server_tool_use` is the provider's own. */
export const ANTHROPIC_MESSAGES: WireFormat = {
  id: 'anthropic_messages',
  title: 'Anthropic Messages body',
  models: ['Claude'],
  read(body) {
    if (ANTHROPIC_EVENTS.test(stringOf(body, 'type') ?? '')) return STREAM_EVENT;
    if (!Array.isArray(own(body, 'content'))) return undefined;
    if (own(body, 'type') !== 'message' && own(body, 'role') !== 'assistant') return undefined;
    const blocks = listOf(body, 'content').filter(isObject);
    const cutLast = blocks.at(-1);
    return {
      calls: blocks.flatMap(toolUse),
      text: joinText(blocks.filter((block) => own(block, 'type') === 'text')),
      cut:
        own(body, 'stop_reason') === 'max_tokens' &&
        cutLast !== undefined &&
        own(cutLast, 'type') === 'tool_use',
    };
  },
};

/** `candidates[].content.parts[]` with a `functionCall`. */
export const GEMINI: WireFormat = {
  id: 'gemini',
  title: 'Gemini generateContent body',
  models: ['Gemini'],
  read(body) {
    const [candidate] = listOf(body, 'candidates');
    if (!isObject(candidate)) return undefined;
    const content = own(candidate, 'content');
    const parts = isObject(content) ? listOf(content, 'parts').filter(isObject) : [];
    if (parts.some(isPartialCall)) return STREAM_EVENT;
    const spoken = parts.filter((part) => own(part, 'thought') !== true);
    return { calls: parts.flatMap(partCall), text: joinText(spoken), cut: false };
  },
};

/** `message.tool_calls[]` with arguments as an object; the lines of a stream are such bodies, too. */
export const OLLAMA: WireFormat = {
  id: 'ollama',
  title: 'Ollama chat body, or its lines',
  models: ['any model behind Ollama'],
  read(body) {
    const message = own(body, 'message');
    if (!isObject(message) || own(body, 'choices') !== undefined) return undefined;
    if (typeof own(body, 'done') !== 'boolean') return undefined;
    const calls = listOf(message, 'tool_calls').flatMap(ollamaCall);
    return { calls, text: joinText(own(message, 'content')), cut: own(body, 'done_reason') === 'length' };
  },
};

function toolUse(block: JsonObject): readonly WireCall[] {
  const name = stringOf(block, 'name');
  if (own(block, 'type') !== 'tool_use' || name === undefined) return [];
  return [{ name, id: stringOf(block, 'id'), arguments: own(block, 'input') }];
}

function isPartialCall(part: JsonObject): boolean {
  const call = own(part, 'functionCall');
  return isObject(call) && ['partialArgs', 'willContinue'].some((key) => own(call, key) !== undefined);
}

function partCall(part: JsonObject): readonly WireCall[] {
  const call = own(part, 'functionCall');
  const name = isObject(call) ? stringOf(call, 'name') : undefined;
  if (!isObject(call) || name === undefined) return [];
  return [{ name, id: stringOf(call, 'id'), arguments: own(call, 'args') }];
}

function ollamaCall(item: Json): readonly WireCall[] {
  const call = isObject(item) ? own(item, 'function') : undefined;
  const name = isObject(call) ? stringOf(call, 'name') : undefined;
  if (!isObject(item) || !isObject(call) || name === undefined) return [];
  return [{ name, id: stringOf(item, 'id'), arguments: own(call, 'arguments') }];
}
