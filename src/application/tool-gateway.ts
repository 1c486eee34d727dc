import type { RunStatus } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import type { StepState, StopReason } from '../domain/step-state.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { ToolSource } from '../ports/tool-source.js';
import { GatedCalls, type GatedCallsRequest } from './gated-calls.js';
import type { RecordedRun, RunRecorder } from './run-recorder.js';
import type { RunStart } from './run-request.js';
import type { StepPorts } from './step-effects.js';
import { toolsOf } from './tools-of.js';

/** A workflow whose tools somebody else's loop uses. */
export type GatewayRequest = Pick<RunStart, 'workflow' | 'inputs' | 'workspace' | 'env' | 'durability'>;

/** One run of calls from outside. */
export interface GatedRunRequest
  extends Pick<GatedCallsRequest, 'step' | 'tools' | 'signal' | 'limits' | 'emit'> {
  /** What the record says of how it was started. */
  readonly startedWith: JsonObject;
}

export interface GatedRun {
  readonly runId: string;
  readonly calls: GatedCalls;
  /** Ends what is under way and then the run; `statusOf` says how it ended, well if it is left out. */
  close(statusOf?: (state: StepState) => RunStatus): Promise<StepState>;
}

/** A workflow's tools, opened; runs of calls are begun with them. */
export interface OpenedGateway {
  readonly entries: readonly ToolEntry[];
  /** Tells, until the returned function is called, when tools are gone or held back that were not before. */
  watch(listener: (now: readonly ToolEntry[]) => void): () => void;
  begin(request: GatedRunRequest): Promise<GatedRun>;
  close(): Promise<void>;
}

/** Opens a workflow's tools for callers who bring their own loop: a person, an MCP client, another SDK. */
export class ToolGateway {
  constructor(
    private readonly ports: StepPorts,
    private readonly tools: ToolSource,
    private readonly recorder: RunRecorder,
  ) {}

  async open(given: GatewayRequest, { signal }: { readonly signal: AbortSignal }): Promise<OpenedGateway> {
    const request = { ...given, env: given.env ?? {} };
    const entries = await this.tools.open(toolsOf(request, this.recorder.home), { signal });
    return {
      entries,
      watch: (listener) => this.tools.watch?.(entries, listener) ?? (() => undefined),
      begin: (run) => this.#begin(request, run),
      close: async () => this.tools.close?.(entries),
    };
  }

  async #begin(request: Parameters<RunRecorder['start']>[0], run: GatedRunRequest): Promise<GatedRun> {
    const { step, signal, startedWith } = run;
    const recorded = await this.recorder.start(request, startedWith, signal);
    const { session } = recorded;
    try {
      session.append({ type: 'step-started', step });
      const calls = new GatedCalls(this.ports, { ...run, session });
      run.emit?.({ type: 'step-start', step });
      const close = once(async (statusOf?: (state: StepState) => RunStatus) =>
        end({ recorded, calls, run }, statusOf),
      );
      return { runId: session.runId, calls, close };
    } catch (error) {
      await recorded.close();
      throw error;
    }
  }
}

interface Ending {
  readonly recorded: RecordedRun;
  readonly calls: GatedCalls;
  readonly run: GatedRunRequest;
}

async function end(
  { recorded, calls, run }: Ending,
  statusOf: (state: StepState) => RunStatus = () => 'success',
): Promise<StepState> {
  const { step, emit } = run;
  const stoppedBy: StopReason = run.signal.aborted ? 'cancelled' : 'completed';
  try {
    const state = await calls.close(stoppedBy);
    recorded.session.append({ type: 'step-ended', step, stoppedBy: state.stoppedBy });
    recorded.session.append({ type: 'run-ended', status: statusOf(state) });
    emit?.({ type: 'step-end', step, state });
    return state;
  } finally {
    await recorded.close();
  }
}

/** Whoever closes again gets what came of the first time. */
function once<A extends readonly unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  let first: Promise<R> | undefined;
  return (...args) => {
    first ??= work(...args);
    return first;
  };
}
