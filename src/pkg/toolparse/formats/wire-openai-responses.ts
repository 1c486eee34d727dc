import { own } from '../json/own.js';
import { RESPONSES_EVENTS } from '../stream-events/openai-responses-events.js';
import type { JsonObject } from '../types.js';
import { EXAMPLE_ARGUMENTS, wireExample } from './wire-example.js';
import type { WireCall, WireFormat } from './wire-format.js';
import { namedCall, objectsOf, stringOf, wireReading } from './wire-values.js';

/** `output[]` items. Hosted tools' items are the provider's own business. */
export const OPENAI_RESPONSES: WireFormat = {
  id: 'openai_responses',
  title: 'OpenAI Responses',
  models: ['OpenAI Responses', 'Azure OpenAI', 'xAI', 'LM Studio'],
  example: wireExample({
    object: 'response',
    status: 'completed',
    output: [
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: 'get_weather',
        arguments: EXAMPLE_ARGUMENTS,
      },
    ],
  }),
  events: RESPONSES_EVENTS,
  read(body) {
    if (!Array.isArray(own(body, 'output'))) return undefined;
    const items = objectsOf(body, 'output');
    if (own(body, 'object') !== 'response' && !items.some((item) => stringOf(item, 'type'))) return undefined;
    return wireReading(
      items.flatMap(responseCall),
      items.map(responseText).join(''),
      stringOf(body, 'status'),
    );
  },
};

function responseCall(item: JsonObject): readonly WireCall[] {
  const type = own(item, 'type');
  const id = stringOf(item, 'call_id') ?? stringOf(item, 'id');
  if (type === 'function_call') return namedCall(stringOf(item, 'name'), id, own(item, 'arguments'));
  if (type !== 'custom_tool_call') return [];
  return namedCall(stringOf(item, 'name'), id, { input: own(item, 'input') ?? '' });
}

function responseText(item: JsonObject): string {
  if (own(item, 'type') !== 'message') return '';
  return objectsOf(item, 'content')
    .map((part) => stringOf(part, 'text') ?? stringOf(part, 'refusal') ?? '')
    .join('');
}
