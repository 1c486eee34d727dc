import { isObject, own } from '../json/own.js';
import { CHAT_EVENTS } from '../stream-events/openai-chat-events.js';
import type { Json, JsonObject } from '../types.js';
import { EXAMPLE_ARGUMENTS, wireExample } from './wire-example.js';
import type { WireCall, WireFormat, WireReading } from './wire-format.js';
import { joinText, listOf, namedCall, objectOf, objectsOf, stringOf, wireReading } from './wire-values.js';

const CHAT_MODELS = [
  'OpenAI Chat Completions',
  'Azure OpenAI',
  'Groq',
  'xAI',
  'DeepSeek',
  'Mistral',
  'Moonshot',
  'Alibaba',
  'OpenRouter',
  'vLLM',
  'SGLang',
  'llama.cpp',
  'LM Studio',
];
const FUNCTION = { name: 'get_weather', arguments: EXAMPLE_ARGUMENTS };

/** `choices[].message.tool_calls[]`, or a message on its own. */
export const OPENAI_CHAT: WireFormat = {
  id: 'openai_chat',
  title: 'OpenAI Chat Completions',
  models: CHAT_MODELS,
  example: wireExample({
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: FUNCTION }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  events: CHAT_EVENTS,
  read(body) {
    const found = findMessage(body);
    return found && !isLegacy(found.message)
      ? reading(found, listOf(found.message, 'tool_calls').flatMap(chatCall))
      : undefined;
  },
};

/** `message.function_call`, as it was before there were parallel calls. */
export const OPENAI_CHAT_LEGACY: WireFormat = {
  id: 'openai_chat_legacy',
  title: 'OpenAI Chat Completions with the older function_call',
  models: ['OpenAI Chat Completions (2023)'],
  example: wireExample({
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, function_call: FUNCTION },
        finish_reason: 'function_call',
      },
    ],
  }),
  events: CHAT_EVENTS,
  read(body) {
    const found = findMessage(body);
    const call = objectOf(found?.message, 'function_call');
    return found && call && reading(found, functionCall(call, undefined));
  },
};

interface Found {
  readonly message: JsonObject;
  readonly text: string;
  readonly reason: string | undefined;
}

/**
 * The message that counts. Choices are alternatives, of which the first is taken; but some relays put the text into one
 * choice and the calls into the next, and say so by giving both the reason of a call.
 */
function findMessage(body: JsonObject): Found | undefined {
  const choices = objectsOf(body, 'choices');
  const [first] = choices;
  if (!first) return ownMessage(body);
  const reason = stringOf(first, 'finish_reason');
  const message = objectOf(first, 'message') ?? completionText(first);
  if (!message) return undefined;
  const isSplit = !hasCalls(message) && (reason === 'tool_calls' || reason === 'function_call');
  const calling = isSplit ? choices.map((choice) => objectOf(choice, 'message')).find(hasCalls) : undefined;
  return { message: calling ?? message, text: textOf(message), reason };
}

function ownMessage(body: JsonObject): Found | undefined {
  if (own(body, 'role') !== 'assistant' || !hasCalls(body)) return undefined;
  return { message: body, text: textOf(body), reason: undefined };
}

/** The older completions have a text and no message. */
function completionText(choice: JsonObject): JsonObject | undefined {
  const text = own(choice, 'text');
  return typeof text === 'string' ? { content: text } : undefined;
}

function hasCalls(message: JsonObject | undefined): boolean {
  return message !== undefined && (listOf(message, 'tool_calls').length > 0 || isLegacy(message));
}

function isLegacy(message: JsonObject): boolean {
  return isObject(own(message, 'function_call')) && listOf(message, 'tool_calls').length === 0;
}

/** A refusal stands in place of the content. */
function textOf(message: JsonObject): string {
  return joinText(own(message, 'content')) || (stringOf(message, 'refusal') ?? '');
}

function reading({ text, reason }: Found, calls: readonly WireCall[]): WireReading {
  return wireReading(calls, text, reason);
}

function chatCall(item: Json): readonly WireCall[] {
  if (!isObject(item)) return [];
  const id = stringOf(item, 'id');
  const custom = objectOf(item, 'custom');
  if (custom) return namedCall(stringOf(custom, 'name'), id, { input: own(custom, 'input') ?? '' });
  // Some send the function's members without the wrapping.
  return functionCall(objectOf(item, 'function') ?? item, id);
}

function functionCall(call: JsonObject, id: string | undefined): readonly WireCall[] {
  return namedCall(stringOf(call, 'name'), id, own(call, 'arguments'));
}
