import type { ApprovalPolicy } from '../../domain/approval.js';
import { InvalidToolError, messageOf } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../domain/json.js';
import { RuleBook } from '../../domain/rules/rule-book.js';
import type { Tool } from '../../domain/tool.js';
import type { ArgumentValidator, ValidatedArguments } from '../../ports/argument-validator.js';
import { describeProblems } from './argument-problems.js';
import { type ReadArguments, readArgumentText } from './argument-text.js';
import { copyPlainData, inspectPlainData } from './plain-data.js';
import { type CompiledSchema, SchemaCompiler } from './schema-compiler.js';

// Beyond this, one problem is told instead of all: each costs memory, and a model can write a million.
const MAX_VALUES_FOR_ALL = 10_000;

/** Checks arguments with ajv: nothing is coerced, nothing unknown passes, nothing of the model's is changed. */
export class AjvArgumentValidator implements ArgumentValidator {
  readonly #schemas = new SchemaCompiler();

  /** Throws an InvalidToolError if a schema of the tool is broken, so that it is known before the first call. */
  prepare(tool: Tool, { rules }: Pick<ApprovalPolicy, 'rules'> = { rules: [] }): void {
    this.#parametersOf(tool);
    for (const { when } of rules) if (when.arguments) this.#ruleOf(when.arguments, tool.name);
    readRules(tool.name, rules);
  }

  validate(tool: Tool, args: Json | undefined): ValidatedArguments {
    const read = readArguments(args);
    if (!read.ok) return refused(read.problem);
    const { value } = read;
    if (!isJsonObject(value)) return refused(notAnObject(value));
    const { problem, values } = inspectPlainData(value);
    if (problem !== undefined) return refused(problem);
    return this.#check(tool, value, values);
  }

  matches(schema: JsonSchema, value: Json): boolean {
    return this.#ruleOf(schema)(value);
  }

  #check(tool: Tool, value: JsonObject, values: number): ValidatedArguments {
    const { check, checkAll, hasDefaults } = this.#parametersOf(tool);
    const args = hasDefaults ? copyPlainData(value) : value;
    if (check(args)) return { ok: true, arguments: args };
    const thorough = values <= MAX_VALUES_FOR_ALL ? checkAll() : check;
    thorough(hasDefaults ? copyPlainData(value) : value);
    return { ok: false, problems: describeProblems(thorough.errors ?? [], tool.parameters) };
  }

  #parametersOf(tool: Tool): CompiledSchema {
    try {
      return this.#schemas.parameters(tool.parameters);
    } catch (error) {
      throw new InvalidToolError(tool.name, `has parameters that are no JSON Schema: ${messageOf(error)}`);
    }
  }

  #ruleOf(schema: JsonSchema, toolName = ''): (value: Json) => boolean {
    try {
      return this.#schemas.rule(schema);
    } catch (error) {
      throw new InvalidToolError(
        toolName,
        `has an approval rule that is no JSON Schema: ${messageOf(error)}`,
      );
    }
  }
}

/** A pattern that cannot be read would be found only when a call arrives. */
function readRules(toolName: string, rules: ApprovalPolicy['rules']): void {
  try {
    new RuleBook(rules);
  } catch (error) {
    throw new InvalidToolError(toolName, `has an approval rule that cannot be read: ${messageOf(error)}`);
  }
}

function readArguments(args: Json | undefined): ReadArguments {
  return typeof args === 'string' ? readArgumentText(args) : { ok: true, value: args ?? {} };
}

function refused(problem: string): ValidatedArguments {
  return { ok: false, problems: [problem] };
}

function notAnObject(value: unknown): string {
  const found = Array.isArray(value) ? 'an array' : `the ${typeof value} ${JSON.stringify(value)}`;
  return `the arguments must be a JSON object, not ${found.slice(0, 80)}`;
}
