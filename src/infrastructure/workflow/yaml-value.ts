import { isJsonObject, type Json } from '../../domain/json.js';
import { type Places, pathText, pointerTo } from './places.js';
import type { Finding, Problems } from './problems.js';

interface Origin {
  readonly places: Places;
  readonly problems: Problems;
}

/** Which part of a value a problem points at. */
type Part = 'value' | 'key' | { readonly brace: number } | { readonly at: number };

/**
 * A value of the file that knows where it is. Whoever reads one of another type than expected gets nothing: the
 * schema has said so already, and reading goes on, so that every problem is found in one go.
 */
export class YamlValue {
  constructor(
    readonly raw: Json | undefined,
    readonly pointer: string,
    readonly origin: Origin,
  ) {}

  get isPresent(): boolean {
    return this.raw !== undefined;
  }

  /** As people write it: `tools[0].approval`. */
  get path(): string {
    return pathText(this.pointer);
  }

  get(key: string): YamlValue {
    const member = isJsonObject(this.raw) && Object.hasOwn(this.raw, key) ? this.raw[key] : undefined;
    return new YamlValue(member, pointerTo(this.pointer, key), this.origin);
  }

  entries(): readonly (readonly [string, YamlValue])[] {
    if (!isJsonObject(this.raw)) return [];
    return Object.keys(this.raw).map((key) => [key, this.get(key)] as const);
  }

  items(): readonly YamlValue[] {
    if (!Array.isArray(this.raw)) return [];
    return this.raw.map(
      (item: Json, index) => new YamlValue(item, pointerTo(this.pointer, index), this.origin),
    );
  }

  text(): string | undefined {
    return typeof this.raw === 'string' ? this.raw : undefined;
  }

  number(): number | undefined {
    return typeof this.raw === 'number' ? this.raw : undefined;
  }

  flag(): boolean | undefined {
    return typeof this.raw === 'boolean' ? this.raw : undefined;
  }

  scalar(): string | number | boolean | undefined {
    return this.text() ?? this.number() ?? this.flag();
  }

  /** Every text of a list. */
  texts(): readonly string[] | undefined {
    if (!Array.isArray(this.raw)) return undefined;
    return this.items().flatMap((item) => item.text() ?? []);
  }

  /** The text of a scalar as written, so that `version: 1.0` stays 1.0. */
  written(): string | undefined {
    return this.text() ?? this.origin.places.find(this.pointer).source;
  }

  report(finding: Finding, part: Part = 'value'): void {
    this.origin.problems.add(this.#offset(part), finding);
  }

  #offset(part: Part): number {
    const { places } = this.origin;
    if (typeof part === 'object') {
      return 'at' in part
        ? places.findIn(this.pointer, this.text() ?? '', part.at)
        : places.findBraces(this.pointer, part.brace);
    }
    const place = places.find(this.pointer);
    return part === 'key' ? (place.key ?? place.start) : place.start;
  }
}
