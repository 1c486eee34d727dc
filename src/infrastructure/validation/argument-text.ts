/** What came of reading arguments that arrived as JSON text. */
export type ReadArguments =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads arguments that a model wrote as JSON text. An object that names a key twice is refused: the reader that
 * checks and the reader that runs might each take another one.
 */
export function readArgumentText(text: string): ReadArguments {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: `the arguments must be a JSON object, not the text ${shown(text)}` };
  }
  const duplicate = duplicateKey(text);
  if (duplicate === undefined) return { ok: true, value };
  return { ok: false, problem: `argument ${JSON.stringify(duplicate)} is given twice; give it once` };
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The first key that an object of this JSON text has twice. The text is known to be valid JSON. */
function duplicateKey(json: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    if (json[at] !== '"') {
      nest(json[at], objects);
      continue;
    }
    const end = stringEnd(json, at);
    const key = isKey(json, end) ? (JSON.parse(json.slice(at, end)) as string) : undefined;
    if (key !== undefined && isKnown(key, objects.at(-1))) return key;
    at = end - 1;
  }
  return undefined;
}

function isKnown(key: string, keys: Set<string> | undefined): boolean {
  const known = keys?.has(key) ?? false;
  keys?.add(key);
  return known;
}

function nest(character: string | undefined, objects: (Set<string> | undefined)[]): void {
  if (character === '{') objects.push(new Set());
  else if (character === '[') objects.push(undefined);
  else if (character === '}' || character === ']') objects.pop();
}

function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(json[at] ?? '-')) at++;
  return json[at] === ':';
}
