import type { ApprovalPolicy } from './approval.js';
import type { Conversation } from './conversation.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { Restrictions } from './restrictions.js';
import type { SideEffects } from './tool.js';

/** A workflow file, read and checked: both dialects end in this one shape. */
export interface Workflow {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /** As written; relative to the current directory, and beaten by `--workspace`. */
  readonly workspace?: string;
  readonly inputs: readonly InputDeclaration[];
  readonly onUnavailable: OnUnavailable;
  readonly tools: readonly ToolDeclaration[];
  /** Text formats of its own, beside those that toolparse knows. */
  readonly formats?: readonly TextFormat[];
  /** What all steps of a run may use together. */
  readonly budget?: Budget;
  /** The first step runs first; where each goes next is its own to say. */
  readonly steps: readonly AgentStep[];
  /** SHA-256 of the file's bytes: resume refuses a file that changed. */
  readonly hash: string;
  /** Where it was read from, for messages; absent for a workflow made in code. */
  readonly file?: string;
}

/** How a model without native tools writes its calls: a declaration that toolparse has checked, and alone reads. */
export type TextFormat = JsonObject & { readonly id: string };

/** What happens to tools that start a process where the kernel layer is missing. */
export type OnUnavailable = 'deny' | 'prompt' | 'warn';

export type InputType = 'string' | 'integer' | 'number' | 'boolean';

export interface InputDeclaration {
  readonly name: string;
  readonly type: InputType;
  readonly required: boolean;
  readonly default?: string | number | boolean;
  readonly description?: string;
  /** Never written to a journal, a log or a screen. */
  readonly secret: boolean;
  readonly validation?: InputValidation;
}

export interface InputValidation {
  readonly pattern?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly min?: number;
  readonly max?: number;
  readonly fileExists?: boolean;
  readonly fileExtension?: readonly string[];
}

export type BuiltinName = 'shell' | 'read_file' | 'write_file' | 'http_request';

/** Where a declared tool's code comes from. */
export type ToolKind =
  | { readonly type: 'builtin'; readonly builtin: BuiltinName }
  | { readonly type: 'command'; readonly command: string }
  /** A ToolHandler class that the host program bound under this name. */
  | { readonly type: 'handler' };

export interface ToolDeclaration {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description?: string;
  readonly parameters?: JsonSchema;
  /** Parameters of a command tool whose value may begin with a dash. */
  readonly allowDash: readonly string[];
  readonly approval: ApprovalPolicy;
  readonly restrictions: Restrictions;
  readonly timeoutMs?: number;
  readonly sideEffects?: SideEffects;
  readonly idempotent?: boolean;
  readonly exclusive?: boolean;
}

export interface AgentStep {
  readonly name: string;
  readonly provider: string;
  /** A template: `{{inputs.x}}`, `{{states.step.output}}`, `{{env.X}}`. */
  readonly prompt: string;
  readonly systemPrompt?: string;
  readonly tools: readonly string[];
  readonly toolProtocol?: ToolProtocol;
  /** How calls are written where the protocol is text: the id of a format. */
  readonly toolFormat?: string;
  readonly options: JsonObject;
  readonly toolOptions: ToolOptions;
  readonly conversation?: Conversation;
  readonly onSuccess: StepTarget;
  readonly onFailure: StepTarget;
}

/** How an agent is told of tools: by its provider's own means, in plain text, or as the provider is able to. */
export type ToolProtocol = 'native' | 'text' | 'auto';

/** Where a step goes when it is over. */
export type StepTarget =
  | { readonly kind: 'step'; readonly name: string }
  | { readonly kind: 'end'; readonly status: 'success' | 'failure'; readonly message?: string };

/** What may be used up at most; what is left out has no limit. */
export interface Budget {
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly maxDurationMs?: number;
}

export interface ToolOptions extends Budget {
  readonly maxCalls: number;
  readonly timeoutPerCallMs: number;
  /** How long a question may wait for its answer; a call that nobody answered for is denied. For ever when left out. */
  readonly approvalTimeoutMs?: number;
  readonly maxParallel: number;
}

export const DEFAULT_TOOL_OPTIONS: ToolOptions = Object.freeze({
  maxCalls: 50,
  timeoutPerCallMs: 30_000,
  maxParallel: 8,
});

/** Values of a workflow's inputs, typed and complete. */
export type InputValues = Readonly<Record<string, string | number | boolean>>;
