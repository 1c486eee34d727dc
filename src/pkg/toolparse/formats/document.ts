import { isObject } from '../json/own.js';
import { JsonFrame } from '../scan/json-frame.js';
import type { Interpretation } from '../scan/json-reading.js';
import type { Json, JsonObject } from '../types.js';
import { readCallShapes, type ShapeRules } from './call-shapes.js';
import type { WireFormat, WireReading } from './declaration.js';
import { jsonStart, type Opener } from './text-format.js';

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
  return undefined;
}

/** A JSON value that is a call, where nothing but its shape and a declared tool's name say so. */
export function bare(value: Json, isBareRead: boolean): Interpretation | undefined {
  const calls = isBareRead ? readCallShapes(value, STRICT) : undefined;
  return calls && { format: 'bare_json', calls, encoded: false, declaredOnly: true };
}

function interpretation(format: string, reading: WireReading): Interpretation {
  if (reading.isStreamEvent) {
    const message = `This is one event of a ${format} stream; event streams are not read yet, only whole bodies.`;
    return { format, calls: [], encoded: true, note: { code: 'stream-unsupported', message } };
  }
  const calls = reading.calls.map((call) => ({ ...call, element: 0 }));
  return { format, calls, encoded: true, text: reading.text, cut: reading.cut };
}
