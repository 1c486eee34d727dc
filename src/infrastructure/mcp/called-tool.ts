import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';

export interface CalledTool {
  readonly tool: string;
  /** Whatever came: the gate says what is wrong with it. */
  readonly arguments: Json;
}

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
const MAX_METHOD_LENGTH = 64;

/** The call that a request stands for; one that stands for none is answered with an error of the protocol. */
export function calledTool({
  method,
  params,
}: {
  readonly method: string;
  readonly params?: unknown;
}): CalledTool {
  if (method !== 'tools/call') {
    throw new ProtocolError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, MAX_METHOD_LENGTH)}`);
  }
  const { name, arguments: args } = isJsonObject(params) ? params : ({} as JsonObject);
  if (typeof name === 'string') return { tool: name, arguments: args ?? {} };
  throw new ProtocolError(INVALID_PARAMS, 'Invalid params: tools/call needs the `name` of a tool, as a text');
}

/** The SDK answers with the code that an error has. */
class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
