import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message } from '../../../domain/message.js';
import { argumentsText, objectsOf, rawOf, resultText, textOf, wireName } from '../http/call-values.js';

/** The messages that one of ours is for the Chat Completions API: a result each has its own. */
export function chatMessages(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: message.content }];
    case 'assistant':
      return [assistantMessage(message)];
    case 'tool':
      return message.results.map((result) => ({
        role: 'tool',
        tool_call_id: result.callId,
        content: resultText(result),
      }));
  }
  return message satisfies never;
}

/** The model's own message as it came, its calls under the ids that their results have. */
function assistantMessage(message: AssistantMessage): JsonObject {
  const raw = rawOf(message, 'chat');
  const own = isJsonObject(raw) ? raw : { content: message.content };
  const { function_call: _legacy, ...said } = own;
  const written = objectsOf(own.tool_calls);
  const calls = message.calls.map(({ id, name, arguments: args }, index) => ({
    ...written[index],
    id,
    type: 'function',
    function: {
      name: wireName(name),
      arguments: argumentsText(functionOf(written[index]).arguments ?? args),
    },
  }));
  const content = textOf(own.content) === '' && calls.length > 0 ? null : textOf(own.content);
  return { ...said, role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

export function functionOf(call: JsonObject | undefined): JsonObject {
  return isJsonObject(call?.function) ? call.function : {};
}
