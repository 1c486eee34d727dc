import type { Json, JsonObject } from '../../../domain/json.js';
import { isJsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';

/** States as YAML for people: whatever a terminal would act on, or a reader could not see, is spelled out. */
export async function statesText(states: JsonObject): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify({ states: visible(states) }, { lineWidth: 0, aliasDuplicateObjects: false });
}

function visible(value: Json): Json {
  if (typeof value === 'string') return toVisible(value, { multiline: true });
  if (Array.isArray(value)) return value.map((item: Json) => visible(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toVisible(key), visible(member)]));
}
