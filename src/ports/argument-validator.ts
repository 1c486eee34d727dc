import type { ApprovalPolicy } from '../domain/approval.js';
import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import type { Tool } from '../domain/tool.js';

/** Checks a call's arguments against the tool's schema. Never throws on what a model wrote. */
export interface ArgumentValidator {
  /** Throws an InvalidToolError for a schema, or a rule's condition, that cannot be right; asked before a step runs. */
  prepare(tool: Tool, policy: Pick<ApprovalPolicy, 'rules'>): void;
  validate(tool: Tool, args: Json): ValidatedArguments;
  /** Whether a value fits a schema; what approval rules ask. */
  matches(schema: JsonSchema, value: Json): boolean;
}

export type ValidatedArguments =
  | { readonly ok: true; readonly arguments: JsonObject }
  /** Each problem names the argument, what was found and what is expected. */
  | { readonly ok: false; readonly problems: readonly string[] };
