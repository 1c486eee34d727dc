import { isObject } from '../json/own.js';
import type { Interpretation } from '../scan/json-block.js';
import { JsonFrame } from '../scan/json-frame.js';
import { errorMessage } from '../stream-events/error-event.js';
import type { Json, JsonObject } from '../types.js';
import { readCallShapes, type ShapeRules } from './call-shapes.js';
import { unwrapParallel } from './parallel-uses.js';
import { jsonStart, type Opener } from './text-format.js';
import type { WireFormat, WireReading } from './wire-format.js';

const STRICT: ShapeRules = { strict: true };

/** Opens JSON that begins the response: a provider's body, or failing that a bare call of a declared tool. */
export function documentOpener(formats: readonly WireFormat[], isBareRead: boolean): Opener {
  const interpret = (value: Json) =>
    (isObject(value) ? readBody(value, formats) : undefined) ?? bare(value, isBareRead);
  return {
    patterns: [],
    open(view, index) {
      const valueAt = jsonStart(view, index);
      if (typeof valueAt !== 'number') return view.final ? undefined : valueAt;
      return new JsonFrame({
        format: 'document',
        start: view.base + index,
        valueAt: view.base + valueAt,
        closeRequired: false,
        restart: '',
        declaredOnly: false,
        tentative: true,
        isDocument: true,
        isApart: true,
        rules: STRICT,
        interpret,
      });
    },
  };
}

/** Reads a body that is already an object. */
export function readBody(body: JsonObject, formats: readonly WireFormat[]): Interpretation | undefined {
  for (const format of formats) {
    const reading = format.read(body);
    if (reading) return interpretation(format.id, reading);
  }
  const error = errorMessage(body);
  return error === undefined ? undefined : failure(error);
}

/** What stands in place of a body when the provider failed; its text is kept. */
function failure(error: string): Interpretation {
  const note = { code: 'provider-error', message: `The provider reports an error: ${error}` } as const;
  return { format: 'document', calls: [], encoded: true, note };
}

/** A JSON value that is a call, where nothing but its shape and a declared tool's name say so. */
export function bare(value: Json, isBareRead: boolean): Interpretation | undefined {
  const calls = isBareRead ? readCallShapes(value, STRICT) : undefined;
  return calls && { format: 'bare_json', calls, encoded: false, declaredOnly: true };
}

function interpretation(format: string, reading: WireReading): Interpretation {
  const calls = reading.calls.flatMap(unwrapParallel).map((call) => ({ ...call, element: 0 }));
  const { text, cut, refused } = reading;
  return { format, calls, encoded: true, text, cut, refused };
}
