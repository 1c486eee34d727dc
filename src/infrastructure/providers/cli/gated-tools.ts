import type { Tool } from '../../../domain/tool.js';
import type { AgentGate } from '../../../ports/agent-gate.js';
import type { ServedTools } from '../../../ports/tool-server.js';
import { SERVER } from './cli-driver.js';

/** A turn's tools as a server offers them: all clients of the turn call through its one gate. */
export function gatedTools(tools: readonly Tool[], gate: AgentGate): ServedTools {
  let clients = 0;
  return {
    name: SERVER,
    version: '1',
    tools,
    begin: async () => {
      clients += 1;
      const gone = new AbortController();
      return {
        runId: `${SERVER}-${clients}`,
        call: (call, caller) =>
          gate.call(call, { ...caller, signal: AbortSignal.any([caller.signal, gone.signal]) }),
        close: async () => gone.abort(new Error('the client has gone')),
      };
    },
  };
}
