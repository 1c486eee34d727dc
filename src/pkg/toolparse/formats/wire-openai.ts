import { isObject, own } from '../json/own.js';
import type { Json, JsonObject } from '../types.js';
import type { WireCall, WireFormat, WireReading } from './declaration.js';
import { joinText, listOf, stringOf } from './wire-values.js';

const CHAT_MODELS = [
  'OpenAI Chat Completions',
  'Groq',
  'xAI',
  'DeepSeek',
  'Mistral',
  'Moonshot',
  'vLLM',
  'LM Studio',
];

/** `choices[].message.tool_calls[]`, or a message on its own. */
export const OPENAI_CHAT: WireFormat = {
  id: 'openai_chat',
  title: 'OpenAI Chat Completions body',
  models: CHAT_MODELS,
  read(body) {
    if (isChunk(body)) return { calls: [], text: '', cut: false, isStreamEvent: true };
    const message = messageOf(body);
    if (!message) return undefined;
    const calls = listOf(message, 'tool_calls').flatMap(chatCall);
    return reading(body, message, calls);
  },
};

/** `message.function_call`, as it was before there were parallel calls. */
export const OPENAI_CHAT_LEGACY: WireFormat = {
  id: 'openai_chat_legacy',
  title: 'OpenAI Chat Completions body with the older function_call',
  models: ['OpenAI Chat Completions (2023)'],
  read(body) {
    const message = messageOf(body);
    const call = message && own(message, 'function_call');
    if (!message || !isObject(call)) return undefined;
    return reading(body, message, functionCall(call, undefined));
  },
};

/** `output[]` items. Hosted tools' items are the provider's own business. */
export const OPENAI_RESPONSES: WireFormat = {
  id: 'openai_responses',
  title: 'OpenAI Responses body',
  models: ['OpenAI Responses', 'Azure OpenAI', 'xAI', 'LM Studio'],
  read(body) {
    if (stringOf(body, 'type')?.startsWith('response.')) {
      return { calls: [], text: '', cut: false, isStreamEvent: true };
    }
    if (!Array.isArray(own(body, 'output'))) return undefined;
    const items = listOf(body, 'output').filter(isObject);
    if (own(body, 'object') !== 'response' && !items.some((item) => stringOf(item, 'type'))) return undefined;
    return {
      calls: items.flatMap(responseCall),
      text: items
        .filter((item) => own(item, 'type') === 'message')
        .map((item) => joinText(own(item, 'content')))
        .join(''),
      cut: own(body, 'status') === 'incomplete',
    };
  },
};

function isChunk(body: JsonObject): boolean {
  if (own(body, 'object') === 'chat.completion.chunk') return true;
  const [choice] = listOf(body, 'choices');
  return isObject(choice) && isObject(own(choice, 'delta'));
}

function firstChoice(body: JsonObject): JsonObject | undefined {
  const [choice] = listOf(body, 'choices');
  return isObject(choice) ? choice : undefined;
}

function messageOf(body: JsonObject): JsonObject | undefined {
  const choice = firstChoice(body);
  const message = choice && own(choice, 'message');
  if (isObject(message)) return message;
  const isMessage =
    own(body, 'role') === 'assistant' && ['tool_calls', 'function_call'].some((key) => own(body, key));
  return isMessage ? body : undefined;
}

function reading(body: JsonObject, message: JsonObject, calls: readonly WireCall[]): WireReading {
  const choice = firstChoice(body);
  const cut = choice !== undefined && own(choice, 'finish_reason') === 'length';
  return { calls, text: joinText(own(message, 'content')), cut };
}

function chatCall(item: Json): readonly WireCall[] {
  if (!isObject(item)) return [];
  const id = stringOf(item, 'id');
  const inner = own(item, 'function');
  if (isObject(inner)) return functionCall(inner, id);
  const custom = own(item, 'custom');
  if (!isObject(custom)) return [];
  const name = stringOf(custom, 'name');
  return name === undefined ? [] : [{ name, id, arguments: { input: own(custom, 'input') ?? '' } }];
}

function functionCall(call: JsonObject, id: string | undefined): readonly WireCall[] {
  const name = stringOf(call, 'name');
  return name === undefined ? [] : [{ name, id, arguments: own(call, 'arguments') }];
}

function responseCall(item: JsonObject): readonly WireCall[] {
  const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
  const name = stringOf(item, 'name');
  if (name === undefined) return [];
  if (own(item, 'type') === 'function_call') return [{ name, id, arguments: own(item, 'arguments') }];
  if (own(item, 'type') !== 'custom_tool_call') return [];
  return [{ name, id, arguments: { input: own(item, 'input') ?? '' } }];
}
