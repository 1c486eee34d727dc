import { RunRecorder } from '../../src/application/run-recorder.js';
import type { ResumeRequest, RunEvent, RunOutcome, RunRequest } from '../../src/application/run-request.js';
import { StepRunner } from '../../src/application/step-runner.js';
import { ToolOrchestrator } from '../../src/application/tool-orchestrator.js';
import { WorkflowRunner } from '../../src/application/workflow-runner.js';
import type { JournalRecord } from '../../src/domain/journal.js';
import { type AgentStep, DEFAULT_TOOL_OPTIONS, type Workflow } from '../../src/domain/workflow.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { AgentProvider } from '../../src/ports/agent-provider.js';
import type { AgentRecordings } from '../../src/ports/agent-recordings.js';
import type { StartedProcess } from '../../src/ports/sandbox.js';
import type { ToolEntry } from '../../src/ports/tool-executor.js';
import type { ToolSource } from '../../src/ports/tool-source.js';
import { anyObject, directExecutor, gateOf, SteppingClock } from './loop-fixture.js';

const END = { kind: 'end', status: 'success' } as const;
const FAIL = { kind: 'end', status: 'failure' } as const;

export function step(name: string, more: Partial<AgentStep> = {}): AgentStep {
  return {
    name,
    provider: name,
    prompt: `do ${name}`,
    tools: [],
    options: {},
    toolOptions: DEFAULT_TOOL_OPTIONS,
    onSuccess: END,
    onFailure: FAIL,
    ...more,
  };
}

export function workflow(steps: readonly AgentStep[], more: Partial<Workflow> = {}): Workflow {
  return {
    name: 'flow',
    version: '1',
    inputs: [],
    onUnavailable: 'deny',
    tools: [],
    steps,
    hash: 'h1',
    ...more,
  };
}

/** Runs whole workflows in memory, with agents and tools of a test's own. */
export class Fixture {
  readonly audited: string[] = [];
  readonly reaped: number[] = [];
  /** The options that each agent was made with. */
  readonly made: unknown[] = [];
  journal: MemoryJournal;
  events: RunEvent[] = [];
  gate = gateOf();
  recordings: AgentRecordings | undefined;

  constructor(
    readonly agents: Readonly<Record<string, AgentProvider>>,
    readonly tools: readonly ToolEntry[] = [],
    records: readonly JournalRecord[] = [],
  ) {
    this.journal = new MemoryJournal(new SteppingClock(), records.length > 0 ? [['run-1', records]] : []);
  }

  runner(source: ToolSource = { open: async () => this.tools }): WorkflowRunner {
    const clock = new SteppingClock();
    const audit = {
      open: async () => ({
        lastSeq: 0,
        write: (record: JournalRecord) => void this.audited.push(record.type),
        close: async () => undefined,
      }),
    };
    const reaper = {
      end: async ({ pid }: StartedProcess) => {
        this.reaped.push(pid);
        return pid === 13 ? ('still-running' as const) : ('gone' as const);
      },
    };
    const providers = {
      create: async (name: string, options: unknown) => {
        this.made.push(options);
        return this.agents[name] ?? Promise.reject(new Error(`no agent ${name}`));
      },
    };
    const orchestrator = new ToolOrchestrator(directExecutor, this.gate, anyObject, clock, this.journal);
    const recorder = new RunRecorder(this.journal, audit, clock, reaper);
    const steps = new StepRunner(orchestrator, providers);
    return new WorkflowRunner(steps, source, recorder, this.journal, this.recordings);
  }

  run(flow: Workflow, more: Partial<RunRequest> = {}, source?: ToolSource): Promise<RunOutcome> {
    const request = { workflow: flow, inputs: {}, workspace: '/workspace', env: {}, ...more };
    return this.#drive(this.runner(source).run(request, { signal: new AbortController().signal }));
  }

  resume(more: Partial<ResumeRequest> = {}): Promise<RunOutcome> {
    const request = { runId: 'run-1', env: {}, ...more };
    return this.#drive(this.runner().resume(request, { signal: new AbortController().signal }));
  }

  async #drive(run: AsyncGenerator<RunEvent, RunOutcome, void>): Promise<RunOutcome> {
    for (;;) {
      const next = await run.next();
      if (next.done) return next.value;
      this.events.push(next.value);
    }
  }
}
