export {
  type ServeToolsOptions,
  type ServeTransport,
  type Serving,
  serveTools,
} from '../container/serve-tools.js';
export { McpToolSource, type McpToolSourceOptions } from '../infrastructure/mcp/mcp-tool-source.js';
export { FileToolPins, MemoryToolPins, type Pins, type ToolPins } from '../infrastructure/mcp/tool-pins.js';
export type {
  HttpOptions,
  HttpServing,
  ServeContext,
  ServedAnswer,
  ServedRun,
  ServedStreams,
  ServedTools,
  ToolServer,
} from '../ports/tool-server.js';
