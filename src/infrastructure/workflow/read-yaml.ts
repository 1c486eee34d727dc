import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Json } from '../../domain/json.js';
import { parseYaml } from './parse-yaml.js';
import { Places, pointerTo } from './places.js';
import type { Finding, Problems } from './problems.js';
import { RESERVED_KEYS } from './reserved-keys.js';
import { YamlValue } from './yaml-value.js';

// Aliases can stand for more than memory holds; what they expand to is counted.
const MAX_VALUES = 125_000;
const MAX_DEPTH = 100;

/** A file's plain data, each value with its place. Keys that could reach a prototype are refused. */
export function readYaml(problems: Problems): YamlValue {
  const document = parseYaml(problems);
  const reader = new YamlReader(problems);
  const data = reader.read(document.contents, { pointer: '', depth: 0, inAlias: false });
  return new YamlValue(data, '', { places: reader.places, problems });
}

interface Spot {
  readonly pointer: string;
  readonly depth: number;
  readonly inAlias: boolean;
  readonly keyOffset?: number;
}

class YamlReader {
  readonly places: Places;
  readonly #anchors = new Map<string, Node>();
  #values = 0;

  constructor(private readonly problems: Problems) {
    this.places = new Places(problems.source.text);
  }

  read(node: Node | null, spot: Spot): Json {
    const start = node?.range?.[0] ?? spot.keyOffset ?? 0;
    this.#count(start, spot);
    if (isAlias(node)) return this.#readAlias(node.source, start, spot);
    this.places.set(spot.pointer, {
      start,
      end: node?.range?.[1] ?? start,
      ...(spot.keyOffset === undefined ? {} : { key: spot.keyOffset }),
      ...(isScalar(node) && typeof node.value === 'number' && node.source ? { source: node.source } : {}),
    });
    // The first anchor of a name may be replaced by a later one; an alias means the last before it.
    if (node?.anchor && !spot.inAlias) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#readMap(node as YAMLMap<Node, Node | null>, spot);
    if (isSeq(node)) {
      return node.items.map((item, index) => this.read(item as Node, inside(spot, index)));
    }
    return isScalar(node) ? this.#readScalar(node, start) : null;
  }

  #count(offset: number, spot: Spot): void {
    this.#values += 1;
    if (this.#values <= MAX_VALUES && spot.depth <= MAX_DEPTH) return;
    this.problems.fail(offset, {
      code: 'WORKFLOW.PARSE.TOO_LARGE',
      message: `the file's aliases stand for more than ${MAX_VALUES} values, or for themselves`,
    });
  }

  #readAlias(name: string, offset: number, spot: Spot): Json {
    const target = this.#anchors.get(name);
    if (target) return this.read(target, { ...spot, depth: spot.depth + 1, inAlias: true });
    return this.problems.fail(offset, {
      code: 'WORKFLOW.PARSE.YAML_SYNTAX',
      message: `the alias *${name} has no anchor &${name} before it`,
    });
  }

  #readMap(map: YAMLMap<Node, Node | null>, spot: Spot): Json {
    const members = new Map<string, Json>();
    const lines = new Map<string, number>();
    for (const pair of map.items) {
      const key = this.#readKey(pair, lines);
      if (key === undefined) continue;
      const offset = pair.key.range?.[0] ?? 0;
      lines.set(key, this.problems.source.positionAt(offset).line);
      members.set(key, this.read(pair.value, { ...inside(spot, key), keyOffset: offset }));
    }
    return Object.fromEntries(members);
  }

  /** The key, or nothing where the pair must be left out. */
  #readKey(pair: Pair<Node, Node | null>, lines: ReadonlyMap<string, number>): string | undefined {
    const offset = pair.key.range?.[0] ?? 0;
    const key = isScalar(pair.key) ? pair.key.value : undefined;
    if (typeof key !== 'string') {
      const message = 'a key must be a plain word';
      return this.#report(offset, { code: 'WORKFLOW.PARSE.YAML_SYNTAX', message });
    }
    if (RESERVED_KEYS.has(key)) {
      return this.#report(offset, {
        code: 'WORKFLOW.PARSE.UNKNOWN_FIELD',
        message: `the key \`${key}\` is not allowed anywhere in a workflow`,
      });
    }
    if (key === '<<') {
      return this.#report(offset, {
        code: 'WORKFLOW.VALIDATION.UNSUPPORTED',
        message: 'merge keys (`<<`) are not supported',
        suggestion: () => 'write the keys out: what a tool may do should stand where the tool is',
      });
    }
    const line = lines.get(key);
    if (line === undefined) return key;
    const message = `the key \`${key}\` is given twice, first on line ${line}`;
    return this.#report(offset, { code: 'WORKFLOW.VALIDATION.DUPLICATE', message });
  }

  #readScalar(node: Scalar, offset: number): Json {
    const { value } = node;
    if (typeof value === 'string' && /\0|\p{Cs}/u.test(value)) {
      const message = 'a text may hold neither NUL nor half of a surrogate pair';
      this.#report(offset, { code: 'WORKFLOW.PARSE.ENCODING', message });
    }
    if (typeof value === 'number' && !isExact(value)) {
      this.#report(offset, {
        code: 'WORKFLOW.VALIDATION.SCHEMA',
        message: `${node.source ?? value} is not a number that can be kept exactly`,
        suggestion: () => 'put it in quotes if it is a text',
      });
    }
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? value
      : null;
  }

  #report(offset: number, finding: Finding): undefined {
    this.problems.add(offset, finding);
    return undefined;
  }
}

function inside(spot: Spot, key: string | number): Spot {
  return { pointer: pointerTo(spot.pointer, key), depth: spot.depth + 1, inAlias: spot.inAlias };
}

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
