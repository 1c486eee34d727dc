import { mendJson } from '../json/mend-json.js';
import { setOwn, tryParse } from '../json/own.js';
import type { Json } from '../types.js';
import { readBlockScalar, type YamlLine } from './block-scalar.js';
import { readPlain, readQuoted } from './yaml-scalar.js';

/** What YAML means, and whether it says a key twice. */
export interface YamlReading {
  readonly value: Json;
  readonly repeats: boolean;
}

const KEY =
  /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\-#&*!|>'"%@`{}[\],:][^:#]{0,200}?|-[^\s:][^:#]{0,200}?)\s{0,16}:(?:\s+([\s\S]*))?$/;
const MAX_DEPTH = 64;

class NotYaml extends Error {}

/** Reads the YAML that models write: mappings, lists, scalars of all kinds, flow values; no anchors, tags or documents. */
export function readYaml(text: string): YamlReading | undefined {
  const reader = new YamlReader(toLines(text));
  try {
    return reader.document();
  } catch {
    return undefined;
  }
}

function toLines(text: string): YamlLine[] {
  return text.split(/\r?\n/).map((raw) => {
    const body = raw.trimStart();
    return { raw, body: body.trimEnd(), indent: raw.length - body.length };
  });
}

class YamlReader {
  #at = 0;
  #repeats = false;

  constructor(readonly lines: YamlLine[]) {}

  document(): YamlReading {
    const value = this.#node(0, 0);
    if (this.#peek()) throw new NotYaml();
    return { value, repeats: this.#repeats };
  }

  /** The next line that says something. */
  #peek(): YamlLine | undefined {
    while (isSilent(this.lines[this.#at])) this.#at += 1;
    return this.lines[this.#at];
  }

  #node(indent: number, depth: number): Json {
    const line = this.#peek();
    if (!line || line.indent < indent || depth > MAX_DEPTH) throw new NotYaml();
    if (isItem(line.body)) return this.#list(line.indent, depth);
    if (KEY.test(line.body)) return this.#mapping(line.indent, depth);
    return this.#scalarLines(line.indent);
  }

  #mapping(indent: number, depth: number): Json {
    const mapping: Record<string, Json> = {};
    for (let line = this.#peek(); line && line.indent === indent; line = this.#peek()) {
      const match = KEY.exec(line.body);
      if (!match?.[1]) throw new NotYaml();
      const key = unquoteKey(match[1]);
      this.#repeats ||= Object.hasOwn(mapping, key);
      this.#at += 1;
      setOwn(mapping, key, this.#value(match[2] ?? '', { indent, depth }));
    }
    const next = this.#peek();
    if (next && next.indent > indent) throw new NotYaml();
    return mapping;
  }

  #list(indent: number, depth: number): Json {
    const items: Json[] = [];
    for (let line = this.#peek(); line && line.indent === indent && isItem(line.body); line = this.#peek()) {
      items.push(this.#item(line, depth));
    }
    return items;
  }

  #item(line: YamlLine, depth: number): Json {
    const body = line.body.slice(1).trimStart();
    if (body !== '' && KEY.test(body)) return this.#compactMapping(line, body, depth);
    this.#at += 1;
    return this.#value(body, { indent: line.indent, depth });
  }

  /** `- key: value` begins a mapping that is indented as far as its first key. */
  #compactMapping(line: YamlLine, body: string, depth: number): Json {
    const indent = line.indent + line.body.length - body.length;
    this.lines[this.#at] = { raw: ' '.repeat(indent) + body, body, indent };
    return this.#mapping(indent, depth + 1);
  }

  /** What stands behind a key or a dash, or below it. */
  #value(rest: string, { indent, depth }: { readonly indent: number; readonly depth: number }): Json {
    const head = /^[|>]([+-]?)(\d?)([+-]?)\s*(?:#.*)?$/.exec(rest);
    if (head) {
      const block = readBlockScalar(this.lines, this.#at, { header: rest, indent });
      this.#at = block.next;
      return block.value;
    }
    const text = rest.replace(/(^|\s)#[\s\S]*$/, (comment) => (/^["'[{]/.test(rest) ? comment : '')).trim();
    if (text !== '') return this.#inline(text, indent);
    const next = this.#peek();
    const isBelow = next && (next.indent > indent || (next.indent === indent && isItem(next.body)));
    return isBelow ? this.#node(next.indent, depth + 1) : null;
  }

  /** A value on its key's line, and the lines below that carry it on. */
  #inline(first: string, indent: number): Json {
    let text = first;
    for (let line = this.#peek(); line && line.indent > indent; line = this.#peek()) {
      text += ` ${line.body}`;
      this.#at += 1;
    }
    if (/^["']/.test(text)) return readQuoted(text) ?? fail();
    if (/^[[{]/.test(text)) return readFlow(text);
    return readPlain(text);
  }

  #scalarLines(indent: number): Json {
    const line = this.#peek();
    this.#at += 1;
    return this.#inline(line?.body ?? '', indent - 1);
  }
}

function fail(): never {
  throw new NotYaml();
}

function readFlow(text: string): Json {
  const value = tryParse(text);
  if (value !== undefined) return value;
  const mended = mendJson(text);
  if (!mended || mended.openDepth > 0 || mended.end < text.length) throw new NotYaml();
  return mended.value;
}

function isSilent(line: YamlLine | undefined): boolean {
  return line !== undefined && (line.body === '' || line.body.startsWith('#') || line.body === '---');
}

function isItem(body: string): boolean {
  return body === '-' || body.startsWith('- ');
}

function unquoteKey(key: string): string {
  return /^["']/.test(key) ? String(readQuoted(key) ?? key) : key;
}
