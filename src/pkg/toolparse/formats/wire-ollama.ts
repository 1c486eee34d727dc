import { isObject, own } from '../json/own.js';
import { OLLAMA_EVENTS } from '../stream-events/ollama-events.js';
import type { Json } from '../types.js';
import { EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireCall, WireFormat } from './wire-format.js';
import { joinText, listOf, namedCall, objectOf, stringOf, wireReading } from './wire-values.js';

/** `message.tool_calls[]` with arguments as an object; the lines of a stream look the same. */
export const OLLAMA: WireFormat = {
  id: 'ollama',
  title: 'Ollama chat',
  models: ['any model behind Ollama'],
  example: wireExample({
    model: 'qwen3',
    message: {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: EXAMPLE_CALL.name, arguments: EXAMPLE_CALL.arguments } }],
    },
    done_reason: 'stop',
    done: true,
  }),
  events: OLLAMA_EVENTS,
  read(body) {
    if (typeof own(body, 'done') !== 'boolean' || own(body, 'choices') !== undefined) return undefined;
    const message = objectOf(body, 'message');
    const response = own(body, 'response');
    if (!message && typeof response !== 'string') return undefined;
    const text = joinText(message ? own(message, 'content') : response);
    return wireReading(
      message ? ollamaCalls(listOf(message, 'tool_calls')) : [],
      text,
      stringOf(body, 'done_reason'),
    );
  },
};

function ollamaCalls(items: readonly Json[]): readonly WireCall[] {
  return items.filter(isObject).flatMap((item) => {
    const call = objectOf(item, 'function') ?? {};
    return namedCall(
      stringOf(call, 'name'),
      stringOf(item, 'id') ?? stringOf(call, 'id'),
      own(call, 'arguments'),
    );
  });
}
