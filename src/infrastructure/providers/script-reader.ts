import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { nameProblem } from './option-names.js';

type Path = readonly (string | number)[];

export interface ScriptProblem {
  readonly path: Path;
  readonly message: string;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const LONGEST_DELAY_MS = 10 * 60_000;

/** Takes values out of a parsed file. What is not as it must be is noted, so that all problems are told at once. */
export class ScriptReader {
  readonly problems: ScriptProblem[] = [];

  problem(path: Path, message: string): void {
    this.problems.push({ path, message });
  }

  /** An object with no other keys than these. */
  object(path: Path, value: Json | undefined, keys: readonly string[]): JsonObject {
    const object = this.optionalObject(path, value ?? null);
    for (const key of Object.keys(object)) {
      const problem = nameProblem(key, keys);
      if (problem !== undefined) this.problem([...path, key], problem);
    }
    return object;
  }

  optionalObject(path: Path, value: Json | undefined): JsonObject {
    return this.#expect(path, value, 'a mapping', isJsonObject) ?? {};
  }

  list(path: Path, value: Json | undefined): readonly Json[] {
    const isList = (found: Json): found is readonly Json[] => Array.isArray(found);
    return this.#expect(path, value, 'a list', isList) ?? [];
  }

  text(path: Path, value: Json | undefined): string | undefined {
    return this.#expect(path, value, 'text', (found) => typeof found === 'string');
  }

  flag(path: Path, value: Json | undefined): boolean | undefined {
    return this.#expect(path, value, 'true or false', (found) => typeof found === 'boolean');
  }

  amount(path: Path, value: Json | undefined): number | undefined {
    return this.#expect(
      path,
      value,
      'a number that is not negative',
      (found) => typeof found === 'number' && found >= 0,
    ) as number | undefined;
  }

  /** A whole number. */
  count(path: Path, value: Json | undefined, least: number): number | undefined {
    return this.#expect(
      path,
      value,
      `a whole number that is not less than ${least}`,
      (found) => Number.isSafeInteger(found) && Number(found) >= least,
    ) as number | undefined;
  }

  /** One text, or a list of texts. */
  texts(path: Path, value: Json | undefined): readonly string[] {
    if (typeof value === 'string') return [value];
    return this.list(path, value).flatMap((item, index) => this.text([...path, index], item) ?? []);
  }

  choice<T extends string>(path: Path, value: Json | undefined, choices: readonly T[]): T | undefined {
    const isChoice = (found: Json): found is T => choices.some((choice) => choice === found);
    return this.#expect(path, value, choices.join(' or '), isChoice);
  }

  duration(path: Path, value: Json | undefined): number | undefined {
    const [, amount, unit = ''] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$/.exec(String(value ?? '')) ?? [];
    const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
    if (value === undefined || milliseconds <= LONGEST_DELAY_MS)
      return value === undefined ? value : milliseconds;
    this.problem(path, 'must be a time like "50ms" or "2s", ten minutes at most');
    return undefined;
  }

  #expect<T extends Json>(
    path: Path,
    value: Json | undefined,
    what: string,
    is: ((found: Json) => found is T) | ((found: Json) => boolean),
  ): T | undefined {
    if (value === undefined) return undefined;
    if (is(value)) return value as T;
    this.problem(
      path,
      value === null ? `is missing: it must be ${what}` : `must be ${what}, not ${kindOf(value)}`,
    );
    return undefined;
  }
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? 'a mapping' : JSON.stringify(value).slice(0, 60);
}
