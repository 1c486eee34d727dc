import { own } from '../json/own.js';
import { ANTHROPIC_EVENTS } from '../stream-events/anthropic-events.js';
import type { JsonObject } from '../types.js';
import { EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireCall, WireFormat } from './wire-format.js';
import { endingOf, joinText, namedCall, objectsOf, stringOf } from './wire-values.js';

/** `content[]` blocks of type `tool_use`; `server_tool_use` is the provider's own. */
export const ANTHROPIC_MESSAGES: WireFormat = {
  id: 'anthropic_messages',
  title: 'Anthropic Messages',
  models: ['Claude', 'Claude on Bedrock (InvokeModel)', 'Claude on Vertex'],
  example: wireExample({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: EXAMPLE_CALL.name, input: EXAMPLE_CALL.arguments }],
    stop_reason: 'tool_use',
  }),
  events: ANTHROPIC_EVENTS,
  read(body) {
    if (!Array.isArray(own(body, 'content'))) return undefined;
    if (own(body, 'type') !== 'message' && own(body, 'role') !== 'assistant') return undefined;
    const blocks = objectsOf(body, 'content');
    const ending = endingOf(stringOf(body, 'stop_reason'));
    const last = blocks.at(-1);
    return {
      calls: blocks.flatMap(toolUse),
      text: joinText(blocks.filter((block) => own(block, 'type') === 'text')),
      cut: ending === 'cut' && last !== undefined && own(last, 'type') === 'tool_use',
      refused: ending === 'refused',
    };
  },
};

function toolUse(block: JsonObject): readonly WireCall[] {
  if (own(block, 'type') !== 'tool_use') return [];
  return namedCall(stringOf(block, 'name'), stringOf(block, 'id'), own(block, 'input'));
}
