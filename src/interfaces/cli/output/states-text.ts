import type { Json, JsonObject } from '../../../domain/json.js';
import { isJsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';

/** States as YAML for people: whatever a terminal would act on, or a reader could not see, is spelled out. */
export async function statesText(states: JsonObject): Promise<string> {
  const { Document, isMap, isScalar, visit } = await import('yaml');
  const document = new Document({ states: visible(states) }, { aliasDuplicateObjects: false });
  visit(document, {
    // Ten lines a call that rarely differ would bury what the call did.
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && key.value === 'enforcement' && isMap(value)) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

function visible(value: Json): Json {
  if (typeof value === 'string') return toVisible(value, { multiline: true });
  if (Array.isArray(value)) return value.map((item: Json) => visible(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [toVisible(key), visible(member)]));
}
