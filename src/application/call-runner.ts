import { suggestName } from '../domain/closest.js';
import { ToolgateError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { ToolResult } from '../domain/tool-result.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import { EventStream } from './event-stream.js';
import type { Emit, OrchestratorEvent } from './events.js';
import type { GatewayRequest, ToolGateway } from './tool-gateway.js';

/** One tool of a workflow, called by a person instead of a model. */
export interface CallRequest extends GatewayRequest {
  readonly tool: string;
  /** As it came: text is parsed the way a model's would be. */
  readonly arguments: Json;
}

/** Runs a single call through the very same gate as the loop: validated, decided, sandboxed, recorded. */
export class CallRunner {
  constructor(private readonly gateway: ToolGateway) {}

  /** Yields what happens and returns the result. Leaving early cancels. */
  run(
    request: CallRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<OrchestratorEvent, ToolResult, void> {
    const leaving = new AbortController();
    return new EventStream<OrchestratorEvent, ToolResult>({
      start: (emit) => this.#call(request, AbortSignal.any([signal, leaving.signal]), emit),
      leave: () => leaving.abort(new Error('nobody is reading the run any more')),
    });
  }

  async #call(request: CallRequest, signal: AbortSignal, emit: Emit): Promise<ToolResult> {
    const opened = await this.gateway.open(request, { signal });
    try {
      const { tool, arguments: args } = request;
      const tools = [find(opened.entries, tool)];
      const startedWith = { call: tool };
      const run = await opened.begin({ step: 'call', tools, startedWith, signal, emit });
      try {
        const { record } = await run.calls.call(
          { tool, arguments: args, id: 'call_001' },
          { signal, agent: 'call' },
        );
        return record.result;
      } finally {
        await run.close(({ toolCalls }) => (toolCalls[0]?.result.success ? 'success' : 'failure'));
      }
    } finally {
      await opened.close();
    }
  }
}

function find(entries: readonly ToolEntry[], name: string): ToolEntry {
  const entry = entries.find(({ handler }) => handler.tool.name === name);
  if (entry) return entry;
  const known = entries.map(({ handler }) => handler.tool.name);
  const message = `The workflow has no tool "${name}" (${suggestName(name, known)})`;
  throw new ToolgateError('USER.TOOL.UNKNOWN', message);
}
