import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { events, json, type StreamEnd } from './answers.js';
import type { Answer } from './fake-model-server.js';
import { halves } from './halves.js';
import type { ModelWire, WireResult, WireTurn } from './model-wire.js';

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const HEAD = { id: 'chatcmpl-1', created: 1, model: 'some-model' } as const;

export type FinishReason = ChatCompletion.Choice['finish_reason'];

/** The message that the API would answer with. */
export function chatMessage({ text, calls = [] }: WireTurn): ChatCompletion['choices'][number]['message'] {
  const made = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(args) },
  }));
  return {
    role: 'assistant',
    content: text ?? null,
    refusal: null,
    ...(made.length > 0 ? { tool_calls: made } : {}),
  };
}

export function chatBody(turn: WireTurn, reason: FinishReason = reasonOf(turn)): ChatCompletion {
  const choice = { index: 0, message: chatMessage(turn), finish_reason: reason, logprobs: null };
  return { ...HEAD, object: 'chat.completion', choices: [choice], usage: USAGE };
}

export function chunk(delta: ChatCompletionChunk.Choice.Delta, reason: FinishReason | null = null) {
  const choices = [{ index: 0, delta, finish_reason: reason, logprobs: null }];
  return { ...HEAD, object: 'chat.completion.chunk', choices } satisfies ChatCompletionChunk;
}

/** The chunks that the API would stream it with: the id and the name of a call only in its first. */
export function chunksOf({ text, calls = [] }: WireTurn): readonly ChatCompletionChunk[] {
  const said = text === undefined ? [] : halves(text).map((content) => chunk({ content }));
  const made = calls.flatMap(({ id, name, arguments: args }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...halves(JSON.stringify(args)).map((piece) =>
      chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]);
  return [chunk({ role: 'assistant', content: '', refusal: null }), ...said, ...made];
}

export function chatStream(list: readonly unknown[], end: StreamEnd = 'end'): Answer {
  return events(list as readonly Json[], end);
}

function reasonOf({ calls = [] }: WireTurn): FinishReason {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function messagesOf(body: JsonObject): readonly JsonObject[] {
  return body.messages as readonly JsonObject[];
}

/** How results are told where an API has no place for failures. */
export function resultOf(content: Json | undefined): WireResult {
  const text = String(content);
  const isError = text.startsWith('Error: ');
  return { output: isError ? text.slice('Error: '.length) : text, isError };
}

const chatWire: Omit<ModelWire, 'provider' | 'env' | 'options'> = {
  answer: (turn, stream) => {
    if (!stream) return json(chatBody(turn) as unknown as Json);
    const end = [
      chunk({}, reasonOf(turn)),
      { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE },
    ];
    return chatStream([...chunksOf(turn), ...end]);
  },
  beginning: (text) => chatStream([chunk({ role: 'assistant', content: text })], 'hang'),
  broken: (text) => chatStream([chunk({ role: 'assistant', content: text })], 'reset'),
  error: (status, message) => json({ error: { message, type: 'some_error', code: null } }, status),
  results: (body) => {
    const messages = messagesOf(body);
    const last = messages.findLastIndex(({ role }) => role !== 'tool');
    return messages.slice(last + 1).map(({ content }) => resultOf(content));
  },
  callable: ({ tools = [], tool_choice: choice }) =>
    choice === 'none'
      ? []
      : (tools as readonly JsonObject[]).map(({ function: tool }) => String((tool as JsonObject).name)),
  replayed: (body) =>
    messagesOf(body)
      .filter(({ role }) => role === 'assistant')
      .map(({ refusal: _none, ...message }) => message),
  spoken: (turn) => {
    const { refusal: _none, ...message } = chatMessage(turn);
    return message;
  },
};

export const OPENAI_CHAT_WIRE: ModelWire = {
  ...chatWire,
  provider: 'openai',
  env: { OPENAI_API_KEY: 'key-of-openai-1234' },
  options: { model: 'gpt-4.1', api: 'chat' },
};

export const OPENAI_COMPATIBLE_WIRE: ModelWire = {
  ...chatWire,
  provider: 'openai_compatible',
  env: { OPENAI_COMPATIBLE_API_KEY: 'key-of-another-1234' },
  options: { model: 'qwen3' },
};
