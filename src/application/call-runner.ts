import { ToolgateError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { ToolResult } from '../domain/tool-result.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { ToolSource } from '../ports/tool-source.js';
import type { OrchestratorEvent } from './events.js';
import type { RunRecorder } from './run-recorder.js';
import type { RunRequest } from './run-request.js';
import type { ToolOrchestrator } from './tool-orchestrator.js';
import { toolsOf } from './tools-of.js';

/** One tool of a workflow, called by a person instead of a model. */
export interface CallRequest
  extends Pick<RunRequest, 'workflow' | 'inputs' | 'workspace' | 'env' | 'durability'> {
  readonly tool: string;
  /** As it came: text is parsed the way a model's would be. */
  readonly arguments: Json;
}

/** Runs a single call through the very same gate as the loop: validated, decided, sandboxed, recorded. */
export class CallRunner {
  constructor(
    private readonly orchestrator: ToolOrchestrator,
    private readonly tools: ToolSource,
    private readonly recorder: RunRecorder,
  ) {}

  async *run(
    request: CallRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<OrchestratorEvent, ToolResult, void> {
    const entries = await this.tools.open(toolsOf(request, this.recorder.home), { signal });
    const entry = find(entries, request.tool);
    const recorded = await this.recorder.start(request, { call: request.tool }, signal);
    const { session } = recorded;
    try {
      const state = yield* this.orchestrator.run(stepOf(request, entry), { signal, session });
      const result = state.toolCalls[0]?.result;
      if (!result)
        throw new ToolgateError('EXECUTION.CALL.CANCELLED', 'The call was cancelled before it ran');
      session.append({ type: 'run-ended', status: result.success ? 'success' : 'failure' });
      return result;
    } finally {
      await recorded.close();
    }
  }
}

function stepOf(request: CallRequest, entry: ToolEntry) {
  return { step: 'call', agent: oneCall(request), messages: [], tools: [entry], limits: { maxCalls: 1 } };
}

/** An agent that asks for one call and is content with whatever comes of it. */
function oneCall({ tool, arguments: args }: CallRequest): AgentProvider {
  return {
    name: 'call',
    complete: async ({ messages }) => {
      const calls = messages.length === 0 ? [{ id: 'call_001', name: tool, arguments: args }] : [];
      return { message: { role: 'assistant', content: '', calls } };
    },
  };
}

function find(entries: readonly ToolEntry[], name: string): ToolEntry {
  const entry = entries.find(({ handler }) => handler.tool.name === name);
  if (entry) return entry;
  const known = entries.map(({ handler }) => handler.tool.name).join(', ') || 'none';
  throw new ToolgateError('USER.TOOL.UNKNOWN', `The workflow has no tool "${name}" (it has: ${known})`);
}
