import type { ChatResponse, Message } from 'ollama';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { json, type StreamEnd, streamOf } from './answers.js';
import { resultOf } from './chat-wire.js';
import type { Answer } from './fake-model-server.js';
import { halves } from './halves.js';
import type { ModelWire, WireTurn } from './model-wire.js';

/** Every turn has a thought; calls have no ids. */
export function ollamaMessage({ text, calls = [] }: WireTurn): Message {
  const made = calls.map(({ name, arguments: args }) => ({ function: { name, arguments: args } }));
  return {
    role: 'assistant',
    content: text ?? '',
    thinking: `about ${text ?? calls.length}`,
    ...(made.length > 0 ? { tool_calls: made } : {}),
  };
}

export function line(message: Message, end?: JsonObject): JsonObject {
  const head = { model: 'qwen3', created_at: '2026-01-01T00:00:00Z', done: end !== undefined };
  return { ...head, message: message as unknown as Json, ...end };
}

export const END = {
  done_reason: 'stop',
  prompt_eval_count: 100,
  eval_count: 20,
} satisfies Partial<ChatResponse>;

export function lines(list: readonly JsonObject[], end: StreamEnd = 'end'): Answer {
  return streamOf(
    list.map((one) => `${JSON.stringify(one)}\n`),
    end,
  );
}

/** Thoughts and text in pieces, calls whole, as the server streams them. */
function linesOf(turn: WireTurn): readonly JsonObject[] {
  const { content, thinking = '', tool_calls: calls } = ollamaMessage(turn);
  return [
    ...halves(thinking).map((piece) => line({ role: 'assistant', content: '', thinking: piece })),
    ...halves(content).map((piece) => line({ role: 'assistant', content: piece })),
    ...(calls ?? []).map((call) => line({ role: 'assistant', content: '', tool_calls: [call] })),
    line({ role: 'assistant', content: '' }, END),
  ];
}

export const OLLAMA_WIRE: ModelWire = {
  provider: 'ollama',
  env: { OLLAMA_API_KEY: 'key-of-ollama-1234' },
  options: { model: 'qwen3:8b' },
  answer: (turn, stream) => (stream ? lines(linesOf(turn)) : json(line(ollamaMessage(turn), END))),
  beginning: (text) => lines([line({ role: 'assistant', content: text })], 'hang'),
  broken: (text) => lines([line({ role: 'assistant', content: text })], 'reset'),
  error: (status, message) => json({ error: message }, status),
  results: (body) => {
    const messages = body.messages as readonly JsonObject[];
    const last = messages.findLastIndex(({ role }) => role !== 'tool');
    return messages.slice(last + 1).map(({ content }) => resultOf(content));
  },
  callable: ({ tools = [] }) =>
    (tools as readonly JsonObject[]).map(({ function: tool }) => String((tool as JsonObject).name)),
  replayed: (body) => (body.messages as readonly JsonObject[]).filter(({ role }) => role === 'assistant'),
  spoken: ollamaMessage,
};
