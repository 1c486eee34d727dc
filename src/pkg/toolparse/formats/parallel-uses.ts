import { isObject, own, tryParse } from '../json/own.js';
import type { Json } from '../types.js';
import type { WireCall } from './wire-format.js';
import { namedCall, objectsOf, stringOf } from './wire-values.js';

/** The calls inside OpenAI's wrapper for several at once, which a provider may fail to unwrap; else the call itself. */
export function unwrapParallel(call: WireCall): readonly WireCall[] {
  if (call.name !== 'multi_tool_use.parallel') return [call];
  const uses = usesOf(call.arguments);
  const calls = uses.flatMap((use, index) =>
    namedCall(stringOf(use, 'recipient_name'), call.id && `${call.id}_${index + 1}`, own(use, 'parameters')),
  );
  return calls.length > 0 ? calls : [call];
}

function usesOf(args: Json | undefined): ReturnType<typeof objectsOf> {
  const value = typeof args === 'string' ? tryParse(args) : args;
  return isObject(value) ? objectsOf(value, 'tool_uses') : [];
}
