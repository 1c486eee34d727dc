import { own } from '../json/own.js';
import { INTERACTIONS_EVENTS } from '../stream-events/interactions-events.js';
import type { JsonObject } from '../types.js';
import { EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireCall, WireFormat } from './wire-format.js';
import { joinText, namedCall, objectsOf, stringOf, wireReading } from './wire-values.js';

/** `steps[]`, at first called `outputs[]`, with a `function_call`. */
export const GOOGLE_INTERACTIONS: WireFormat = {
  id: 'google_interactions',
  title: 'Gemini Interactions',
  models: ['Gemini'],
  example: wireExample({
    object: 'interaction',
    status: 'requires_action',
    steps: [
      { type: 'function_call', id: 'call_1', name: EXAMPLE_CALL.name, arguments: EXAMPLE_CALL.arguments },
    ],
  }),
  events: INTERACTIONS_EVENTS,
  read(body) {
    if (own(body, 'object') !== 'interaction') return undefined;
    const steps = [...objectsOf(body, 'steps'), ...objectsOf(body, 'outputs')];
    return wireReading(steps.flatMap(stepCall), steps.map(stepText).join(''), stringOf(body, 'status'));
  },
};

function stepCall(step: JsonObject): readonly WireCall[] {
  if (own(step, 'type') !== 'function_call') return [];
  return namedCall(stringOf(step, 'name'), stringOf(step, 'id'), own(step, 'arguments'));
}

function stepText(step: JsonObject): string {
  if (own(step, 'type') === 'model_output') return joinText(own(step, 'content'));
  return own(step, 'type') === 'text' ? (stringOf(step, 'text') ?? '') : '';
}
