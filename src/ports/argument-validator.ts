import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import type { Tool } from '../domain/tool.js';

/** Checks a call's arguments against the tool's schema. Never throws on what a model wrote. */
export interface ArgumentValidator {
  validate(tool: Tool, args: Json): ValidatedArguments;
  /** Whether a value fits a schema; what approval rules ask. */
  matches(schema: JsonSchema, value: Json): boolean;
}

export type ValidatedArguments =
  | { readonly ok: true; readonly arguments: JsonObject }
  /** Each problem names the argument, what was found and what is expected. */
  | { readonly ok: false; readonly problems: readonly string[] };
