import { own } from '../json/own.js';
import { COHERE_V1_EVENTS, COHERE_V2_EVENTS } from '../stream-events/cohere-events.js';
import { EXAMPLE_ARGUMENTS, EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireFormat } from './wire-format.js';
import { joinText, namedCall, objectOf, objectsOf, stringOf, wireReading } from './wire-values.js';

/** `message.tool_calls[].function`, with the plan beside them. */
export const COHERE_V2: WireFormat = {
  id: 'cohere_v2',
  title: 'Cohere chat, version 2',
  models: ['Command A', 'Command R'],
  example: wireExample({
    id: 'c14c80c3',
    message: {
      role: 'assistant',
      tool_plan: 'I will look it up.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: EXAMPLE_ARGUMENTS } },
      ],
    },
    finish_reason: 'TOOL_CALL',
  }),
  events: COHERE_V2_EVENTS,
  read(body) {
    const message = objectOf(body, 'message');
    const reason = stringOf(body, 'finish_reason');
    if (!message || own(message, 'role') !== 'assistant' || reason === undefined) return undefined;
    const calls = objectsOf(message, 'tool_calls').flatMap((item) => {
      const call = objectOf(item, 'function') ?? {};
      return namedCall(stringOf(call, 'name'), stringOf(item, 'id'), own(call, 'arguments'));
    });
    return wireReading(calls, joinText(own(message, 'content')), reason);
  },
};

/** `tool_calls[]` with a name and parameters at the top. */
export const COHERE_V1: WireFormat = {
  id: 'cohere_v1',
  title: 'Cohere chat, version 1',
  models: ['Command R', 'Command R+'],
  example: wireExample({
    response_id: 'r1',
    generation_id: 'g1',
    text: 'I will look it up.',
    tool_calls: [{ name: EXAMPLE_CALL.name, parameters: EXAMPLE_CALL.arguments }],
    finish_reason: 'COMPLETE',
  }),
  events: COHERE_V1_EVENTS,
  read(body) {
    const isReply = own(body, 'generation_id') !== undefined || own(body, 'response_id') !== undefined;
    if (!isReply || typeof own(body, 'text') !== 'string') return undefined;
    const calls = objectsOf(body, 'tool_calls').flatMap((item) =>
      namedCall(stringOf(item, 'name'), stringOf(item, 'id'), own(item, 'parameters')),
    );
    return wireReading(calls, stringOf(body, 'text') ?? '', stringOf(body, 'finish_reason'));
  },
};
