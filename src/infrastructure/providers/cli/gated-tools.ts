import type { Tool } from '../../../domain/tool.js';
import type { AgentGate } from '../../../ports/agent-gate.js';
import type { ServedTools } from '../../../ports/tool-server.js';
import { SERVER } from './cli-driver.js';

/** A turn's tools as a server offers them: all clients of the turn call through its one gate. */
export function gatedTools(tools: readonly Tool[], gate: AgentGate, prefix = ''): ServedTools {
  let clients = 0;
  return {
    name: SERVER,
    version: '1',
    tools: tools.map((tool) => ({ ...tool, name: `${prefix}${tool.name}` })),
    begin: async () => {
      clients += 1;
      const gone = new AbortController();
      return {
        runId: `${SERVER}-${clients}`,
        call: ({ tool, arguments: args }, caller) =>
          gate.call(
            { tool: tool.startsWith(prefix) ? tool.slice(prefix.length) : tool, arguments: args },
            { ...caller, signal: AbortSignal.any([caller.signal, gone.signal]) },
          ),
        close: async () => gone.abort(new Error('the client has gone')),
      };
    },
  };
}
