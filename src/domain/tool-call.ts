import type { Json, JsonObject } from './json.js';

/** A call as the agent wrote it: nothing about it is checked yet, the arguments may be anything. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
  /** False when the reply was cut off in the middle of it; such a call is never run. */
  readonly complete?: boolean;
}

/** A call whose tool exists and whose arguments fit the tool's schema. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}
