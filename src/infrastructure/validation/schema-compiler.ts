import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import { boundedPattern, exactPattern } from './schema-pattern.js';

export interface CompiledSchema {
  readonly check: ValidateFunction;
  /** Finds every problem, not only the first; compiled when there is one. */
  readonly checkAll: () => ValidateFunction;
  /** Whether checking writes default values into what it checks. */
  readonly hasDefaults: boolean;
}

const OPTIONS: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  addUsedSchema: false,
  verbose: true,
};

/** Compiles schemas with ajv, each once. Loading ajv takes longer than a call, so it waits for the first schema. */
export class SchemaCompiler {
  readonly #parameters = new WeakMap<JsonSchema, CompiledSchema>();
  readonly #rules = new WeakMap<JsonSchema, ValidateFunction>();
  readonly #instances = new Map<string, Ajv>();

  parameters(schema: JsonSchema): CompiledSchema {
    const known = this.#parameters.get(schema);
    if (known) return known;
    const check = this.#compile('first', schema);
    let all: ValidateFunction | undefined;
    const checkAll = () => {
      all ??= this.#compile('all', schema);
      return all;
    };
    const compiled = { check, checkAll, hasDefaults: holdsDefaults(schema) };
    this.#parameters.set(schema, compiled);
    return compiled;
  }

  /** A rule only looks: it fills in nothing, and no text is too long for it. */
  rule(schema: JsonSchema): ValidateFunction {
    const known = this.#rules.get(schema);
    if (known) return known;
    const check = this.#compile('rule', schema);
    this.#rules.set(schema, check);
    return check;
  }

  #compile(kind: keyof typeof KINDS, schema: JsonSchema): ValidateFunction {
    const ajv = this.#instances.get(kind) ?? createAjv(KINDS[kind]);
    this.#instances.set(kind, ajv);
    // Other drafts are read as this one: the parts that tools use mean the same in all of them.
    const { $schema: _draft, ...plain } = schema;
    try {
      return ajv.compile(plain);
    } finally {
      // Tools come and go; ajv's own cache would not.
      ajv.removeSchema(plain);
    }
  }
}

const KINDS = {
  first: { useDefaults: true, code: { regExp: boundedPattern } },
  all: { useDefaults: true, allErrors: true, code: { regExp: boundedPattern } },
  // Nobody reads why a rule does not speak, and a policy may have a thousand of them.
  rule: { verbose: false, messages: false, code: { regExp: exactPattern } },
} as const;

function createAjv(options: Options): Ajv {
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  return new Ajv2020({ ...OPTIONS, ...options });
}

function holdsDefaults(value: JsonObject[string] | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, 'default') || Object.values(value).some(holdsDefaults);
}
