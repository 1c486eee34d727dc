import { type ApprovalPolicy, stricter } from '../../domain/approval.js';
import { DeniedError, InvalidToolError } from '../../domain/errors.js';
import type { JsonObject, JsonSchema } from '../../domain/json.js';
import { createTool, TOOL_NAME } from '../../domain/tool.js';
import type { ToolHandler } from '../../ports/tool-handler.js';
import type { RemoteServer } from './remote-server.js';
import type { McpTool } from './sdk.js';
import { strangerSchema } from './stranger-schema.js';

const MAX_DESCRIPTION_LENGTH = 8_192;

/** `docs` and `search.all` come to `docs_search_all`. */
function remoteToolName(server: string, { name }: McpTool): string {
  const joined = `${server}_${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  if (TOOL_NAME.test(joined)) return joined;
  throw new InvalidToolError(
    joined.slice(0, 80),
    `of the server "${server}" has a name that is too long; leave it out with \`tools\``,
  );
}

/** A server's tool behind our gate. Of what the server says of it only the description and the schema are taken. */
export function remoteTool(server: RemoteServer, remote: McpTool): ToolHandler {
  const name = remoteToolName(server.name, remote);
  const { description = '', inputSchema } = remote;
  const { schema, problem } = strangerSchema(inputSchema as JsonObject);
  if (problem !== undefined) {
    throw new InvalidToolError(name, `has a schema that ${problem}`);
  }
  return {
    // Whether it is harmless or may be repeated is not a stranger's to say.
    tool: createTool({
      name,
      description: description.slice(0, MAX_DESCRIPTION_LENGTH),
      parameters: opened(schema),
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
    }),
    run: (args, { signal, log }) => server.call(remote.name, args, { signal, log }),
  };
}

/** What a server does not rule out it takes; only of our own tools do we know that it would be a mistake. */
function opened(schema: JsonSchema): JsonSchema {
  const isSaid = schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined;
  return isSaid ? schema : { ...schema, additionalProperties: true };
}

/** Stands where a tool would that cannot be used as it is now; the model reads that it is there, and not what it says. */
export function heldBackTool(server: RemoteServer, remote: McpTool, why: string): ToolHandler {
  const refuse = (): never => {
    throw new DeniedError(`Held back: ${why}`, 'EXECUTION.APPROVAL.STALE');
  };
  return {
    tool: createTool({
      name: remoteToolName(server.name, remote),
      description: 'Held back until a person has looked at it. Do not call it.',
      parameters: { type: 'object', additionalProperties: true },
    }),
    plan: refuse,
    run: refuse,
  };
}

/** A server that calls its own tool destructive is believed; one that calls it harmless is not. */
export function tightened(approval: ApprovalPolicy, { annotations }: McpTool): ApprovalPolicy {
  if (annotations?.destructiveHint !== true) return approval;
  return { ...approval, default: stricter(approval.default, 'prompt') };
}
