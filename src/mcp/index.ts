export {
  type ServeToolsOptions,
  type ServeTransport,
  type Serving,
  serveTools,
} from '../container/serve-tools.js';
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
