import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message } from '../../../domain/message.js';
import { rawOf, resultText } from '../http/call-values.js';

/** The messages that one of ours is for Ollama. It knows no ids: results come in the order of the calls. */
export function ollamaMessages(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: message.content }];
    case 'assistant':
      return [assistantMessage(message)];
    case 'tool':
      return message.results.map((result) => ({
        role: 'tool',
        tool_name: result.tool,
        content: resultText(result),
      }));
  }
  return message satisfies never;
}

/** The model's own message, with its thoughts, or what another provider's model said. */
function assistantMessage(message: AssistantMessage): JsonObject {
  const raw = rawOf(message, 'ollama');
  if (isJsonObject(raw)) return raw;
  const calls = message.calls.map(({ name, arguments: args }) => ({
    function: { name, arguments: isJsonObject(args) ? args : {} },
  }));
  const called = calls.length > 0 ? { tool_calls: calls } : {};
  return { role: 'assistant', content: message.content, ...called };
}
