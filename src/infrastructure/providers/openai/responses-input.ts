import type { JsonObject } from '../../../domain/json.js';
import type { AssistantMessage, Message } from '../../../domain/message.js';
import { argumentsText, objectsOf, rawOf, resultText, wireName } from '../http/call-values.js';

/** The items that a message is for the Responses API; what the model is told it is goes elsewhere. */
export function inputItems(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', content: message.content }];
    case 'assistant':
      return assistantItems(message);
    case 'tool':
      return message.results.map((result) => ({
        type: 'function_call_output',
        call_id: result.callId,
        output: resultText(result),
      }));
  }
  return message satisfies never;
}

/** The model's own items as they came, or what another provider's model said. */
function assistantItems(message: AssistantMessage): readonly JsonObject[] {
  const raw = rawOf(message, 'responses');
  if (raw !== undefined) return ownItems(objectsOf(raw), message);
  const said = message.content === '' ? [] : [{ role: 'assistant', content: message.content }];
  const calls = message.calls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name: wireName(name),
    arguments: argumentsText(args),
  }));
  return [...said, ...calls];
}

function ownItems(items: readonly JsonObject[], { calls }: AssistantMessage): readonly JsonObject[] {
  let place = 0;
  const own = withoutLostThoughts(items).map((item) => {
    if (item.type !== 'function_call') return item;
    const { id = '', name = '' } = calls[place] ?? {};
    place += 1;
    return { ...item, call_id: id, name: wireName(name), arguments: argumentsText(item.arguments) };
  });
  // A thought that nothing follows is refused: the reply was cut off behind it.
  const last = own.findLastIndex(({ type }) => type !== 'reasoning');
  return own.slice(0, last + 1);
}

/**
 * Nothing is stored there, so a thought is only known by its encrypted text. What follows one that is lost goes back
 * without its id, by which the API would ask for the thought.
 */
function withoutLostThoughts(items: readonly JsonObject[]): readonly JsonObject[] {
  let isLost = false;
  return items.flatMap((item) => {
    if (item.type === 'reasoning') isLost = typeof item.encrypted_content !== 'string';
    if (!isLost) return [item];
    if (item.type === 'reasoning') return [];
    const { id: _id, ...nameless } = item;
    return [NAMED_BY_CHOICE.has(String(item.type)) ? nameless : item];
  });
}

/** Items that need no id; those of the API's own tools do. */
const NAMED_BY_CHOICE: ReadonlySet<string> = new Set(['function_call', 'message']);

/** What the model is told it is. */
export function instructionsOf(messages: readonly Message[]): string | undefined {
  const told = messages.flatMap(({ role, ...message }) =>
    role === 'system' && 'content' in message ? [message.content] : [],
  );
  return told.length === 0 ? undefined : told.join('\n\n');
}
