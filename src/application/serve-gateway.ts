import type { Tool } from '../domain/tool.js';
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
  const offered = new OfferedEntries(gateway, tools);
  return {
    name,
    version: workflow.version || VERSION,
    ...(description ? { instructions: description } : {}),
    get tools() {
      return offered.tools;
    },
    watch: (listener) => offered.watch(listener),
    begin: async (client) => {
      const run = await gateway.begin({
        step: 'serve',
        tools: offered.entries,
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

/** Those of a gateway's tools that are offered, as they are now: whoever comes later must not read of what has gone. */
class OfferedEntries {
  readonly #listeners = new Set<(tools: readonly Tool[]) => void>();
  #entries: readonly ToolEntry[];

  constructor(gateway: OpenedGateway, entries: readonly ToolEntry[]) {
    this.#entries = entries;
    const names = new Set(entries.map(({ handler }) => handler.tool.name));
    // For as long as the gateway is open.
    gateway.watch((now) => {
      this.#entries = now.filter(({ handler }) => names.has(handler.tool.name));
      for (const listener of this.#listeners) listener(this.tools);
    });
  }

  get entries(): readonly ToolEntry[] {
    return this.#entries;
  }

  get tools(): readonly Tool[] {
    return this.#entries.map(({ handler }) => handler.tool);
  }

  watch(listener: (tools: readonly Tool[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
