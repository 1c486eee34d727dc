// The part of the official SDK that is used, and the only file that imports it: the build bundles it from here, since
// as a dependency it would double the size of an installation.
export { Client } from '@modelcontextprotocol/sdk/client/index.js';
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export { Server } from '@modelcontextprotocol/sdk/server/index.js';
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export {
  type CallToolResult,
  CallToolResultSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  ListToolsResultSchema,
  SetLevelRequestSchema,
  type Tool as McpTool,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
export type {
  JsonSchemaValidator as SchemaCheck,
  jsonSchemaValidator as SchemaChecks,
} from '@modelcontextprotocol/sdk/validation/types.js';
