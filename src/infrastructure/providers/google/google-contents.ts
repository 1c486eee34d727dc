import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message, ToolMessage } from '../../../domain/message.js';
import { orPlaceholder, wireName } from '../http/call-values.js';
import { functionCalls, isRawContent } from './google-wire.js';

/** What Gemini 3 takes for the signature of a call that it did not make itself; without one it refuses the request. */
const NO_SIGNATURE = { thoughtSignature: 'skip_thought_signature_validator' } as const;

/** A message as the API takes it; nothing for one that would be empty. `asked` is the reply it answers. */
export function wireContent(
  message: Exclude<Message, { role: 'system' }>,
  asked: AssistantMessage | undefined,
): JsonObject | undefined {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: [{ text: orPlaceholder(message.content) }] };
    case 'tool':
      return { role: 'user', parts: responseParts(message, asked) };
    case 'assistant':
      return modelContent(message);
    default:
      return message satisfies never;
  }
}

function modelContent(message: AssistantMessage): JsonObject | undefined {
  if (isRawContent(message.raw)) return message.raw.parts.length > 0 ? message.raw : undefined;
  const text = message.content === '' ? [] : [{ text: message.content }];
  const calls = message.calls.map(({ id, name, arguments: args }) => ({
    functionCall: { id, name: wireName(name), args: isJsonObject(args) ? args : {} },
    ...NO_SIGNATURE,
  }));
  const parts = [...text, ...calls];
  return parts.length > 0 ? { role: 'model', parts } : undefined;
}

/** An id goes back only where the API gave one, and as it gave it: others are our own, and mean nothing to it. */
function responseParts({ results }: ToolMessage, asked: AssistantMessage | undefined): readonly JsonObject[] {
  const own = isRawContent(asked?.raw) ? functionCalls(asked.raw.parts) : undefined;
  return results.map(({ callId, tool, output, isError }, index) => {
    const id = own ? own[index]?.id : callId;
    const response = isError ? { error: output } : { output };
    return {
      functionResponse: { ...(id === undefined ? {} : { id }), name: own ? tool : wireName(tool), response },
    };
  });
}
