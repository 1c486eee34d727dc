import type { ToolOptions, Workflow } from '../domain/workflow.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { ServedRun, ServedTools } from '../ports/tool-server.js';
import type { Emit } from './events.js';
import type { OpenedGateway } from './tool-gateway.js';
import { VERSION } from './version.js';

export interface ServeGatewayOptions {
  readonly workflow: Workflow;
  /** Those that clients get; all of the gateway's if left out. */
  readonly tools?: readonly ToolEntry[];
  readonly signal: AbortSignal;
  readonly limits?: Partial<ToolOptions>;
  readonly emit?: Emit;
}

/** A client stays for a day's work, so it may make more calls than a step; for ever it may not. */
const SERVED_MAX_CALLS = 1_000;

/** A gateway as a server offers it: each client's calls are a run of their own, with limits of their own. */
export function serveGateway(gateway: OpenedGateway, options: ServeGatewayOptions): ServedTools {
  const { workflow, tools = gateway.entries, signal, limits, emit } = options;
  const { name, description } = workflow;
  return {
    name,
    version: workflow.version || VERSION,
    ...(description ? { instructions: description } : {}),
    tools: tools.map(({ handler }) => handler.tool),
    begin: async (client) => {
      const run = await gateway.begin({
        step: 'serve',
        tools,
        startedWith: { serve: client },
        signal,
        limits: { maxCalls: SERVED_MAX_CALLS, ...limits },
        ...(emit ? { emit } : {}),
      });
      const served: ServedRun = {
        runId: run.runId,
        call: async (call, caller) => {
          const { text, record } = await run.calls.call(call, { ...caller, agent: client });
          return { text, result: record.result };
        },
        close: async () => void (await run.close()),
      };
      return served;
    },
  };
}
