import { own } from '../json/own.js';
import { GEMINI_EVENTS } from '../stream-events/gemini-events.js';
import type { JsonObject } from '../types.js';
import { EXAMPLE_CALL, wireExample } from './wire-example.js';
import type { WireCall, WireFormat } from './wire-format.js';
import { endingOf, joinText, namedCall, objectOf, objectsOf, stringOf } from './wire-values.js';

/** `candidates[].content.parts[]` with a `functionCall`. */
export const GEMINI: WireFormat = {
  id: 'gemini',
  title: 'Gemini generateContent',
  models: ['Gemini', 'Gemini on Vertex'],
  example: wireExample({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ functionCall: { name: EXAMPLE_CALL.name, args: EXAMPLE_CALL.arguments } }],
        },
        finishReason: 'STOP',
      },
    ],
  }),
  events: GEMINI_EVENTS,
  read(body) {
    const [candidate] = objectsOf(body, 'candidates');
    if (!candidate || !GEMINI_EVENTS.isEvent(body)) return undefined;
    const content = objectOf(candidate, 'content');
    const parts = content ? objectsOf(content, 'parts') : [];
    const ending = endingOf(stringOf(candidate, 'finishReason'));
    const last = parts.at(-1);
    return {
      calls: parts.flatMap(partCall),
      text: joinText(parts.filter((part) => own(part, 'thought') !== true)),
      cut: ending === 'cut' && last !== undefined && own(last, 'functionCall') !== undefined,
      refused: ending === 'refused',
    };
  },
};

function partCall(part: JsonObject): readonly WireCall[] {
  const call = objectOf(part, 'functionCall');
  return call ? namedCall(stringOf(call, 'name'), stringOf(call, 'id'), own(call, 'args')) : [];
}
