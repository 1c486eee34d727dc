import type { OrchestratorEvent } from '../../src/application/events.js';
import type { StepRequest } from '../../src/application/step-request.js';
import { ToolOrchestrator } from '../../src/application/tool-orchestrator.js';
import { type ApprovalDecision, type ApprovalMode, ASK_ALWAYS } from '../../src/domain/approval.js';
import { NOTHING_ENFORCED } from '../../src/domain/enforcement.js';
import { toFailure } from '../../src/domain/errors.js';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../src/domain/json.js';
import type { Usage } from '../../src/domain/message.js';
import { createPlan } from '../../src/domain/plan.js';
import { NO_PERMISSIONS } from '../../src/domain/restrictions.js';
import type { StepState } from '../../src/domain/step-state.js';
import { createTool, type Tool } from '../../src/domain/tool.js';
import { failedResult } from '../../src/domain/tool-result.js';
import { MemoryJournal } from '../../src/infrastructure/journal/memory-run-journal.js';
import type { AgentProvider, AgentRequest } from '../../src/ports/agent-provider.js';
import type { ApprovalGate } from '../../src/ports/approval-gate.js';
import type { ArgumentValidator } from '../../src/ports/argument-validator.js';
import type { Clock } from '../../src/ports/clock.js';
import type { JournalSession } from '../../src/ports/run-journal.js';
import type { ToolEntry, ToolExecutor } from '../../src/ports/tool-executor.js';

export type Turn =
  | string
  | readonly (readonly [tool: string, args: Json])[]
  | { readonly text?: string; readonly calls?: readonly (readonly [string, Json])[]; readonly usage?: Usage }
  | Error;

/** An agent that takes its turns from a list, by their place in the transcript, and notes what it was asked. */
export function agentOf(...turns: readonly Turn[]): AgentProvider & { readonly requests: AgentRequest[] } {
  const requests: AgentRequest[] = [];
  return {
    name: 'listed',
    requests,
    complete: async (request) => {
      requests.push({ ...request, messages: [...request.messages] });
      const index = request.messages.filter(({ role }) => role === 'assistant').length;
      const turn = turns[Math.min(index, turns.length - 1)];
      if (turn === undefined) throw new Error('no turn');
      if (turn instanceof Error) throw turn;
      return replyOf(turn, index);
    },
  };
}

function replyOf(turn: Exclude<Turn, Error>, index: number) {
  const shaped = typeof turn === 'string' ? { text: turn } : Array.isArray(turn) ? { calls: turn } : turn;
  const { text = '', calls = [], usage } = shaped as Exclude<Turn, Error | string | readonly unknown[]>;
  return {
    message: {
      role: 'assistant' as const,
      content: text,
      calls: calls.map(([name, args], place) => ({
        id: `c${index + 1}.${place + 1}`,
        name,
        arguments: args,
      })),
    },
    ...(usage ? { usage } : {}),
  };
}

export type Work = (args: JsonObject, signal: AbortSignal) => unknown;

export function toolOf(
  name: string,
  work: Work = () => `${name} done`,
  { approval = 'auto', ...tool }: Partial<Tool> & { readonly approval?: ApprovalMode } = {},
): ToolEntry {
  return {
    handler: {
      tool: createTool({ name, parameters: { type: 'object', additionalProperties: true }, ...tool }),
      run: (args, { signal }) => work(args, signal) as string,
    },
    approval: { ...ASK_ALWAYS, default: approval },
    permissions: NO_PERMISSIONS,
    workspace: '/workspace',
    onUnavailable: 'deny',
  };
}

/** Runs handlers directly; hashes are the canonical text, which makes them readable in a failing test. */
export const directExecutor: ToolExecutor = {
  plan: async (_entry, call) => {
    const plan = createPlan({ tool: call.tool, arguments: call.arguments, action: { kind: 'handler' } });
    return { plan, planHash: `${call.tool}${canonicalJson(call.arguments)}` };
  },
  execute: async (entry, { plan }, context) => {
    if (context.signal.aborted)
      return failedResult({ code: 'EXECUTION.CALL.CANCELLED', message: 'cancelled' });
    try {
      const output = await entry.handler.run(plan.arguments, context as never);
      return {
        success: true,
        output: String(output),
        durationMs: 1,
        approval: 'none',
        enforcement: NOTHING_ENFORCED,
      };
    } catch (error) {
      return failedResult(toFailure(error), { durationMs: 1 });
    }
  },
};

export const anyObject: ArgumentValidator = {
  prepare: () => undefined,
  validate: (_tool, args) =>
    isJsonObject(args) ? { ok: true, arguments: args } : { ok: false, problems: ['expected an object'] },
  matches: (when, value) =>
    isJsonObject(value) && Object.entries(when).every(([key, expected]) => value[key] === expected),
};

export class SteppingClock implements Clock {
  #now = 1_000;
  #ids = 0;
  constructor(private readonly stepMs = 1) {}
  now(): number {
    this.#now += this.stepMs;
    return this.#now;
  }
  elapsed(): number {
    return this.#now;
  }
  newRunId(): string {
    this.#ids += 1;
    return `run-${this.#ids}`;
  }
}

export function gateOf(...answers: readonly (ApprovalDecision['kind'] | ApprovalDecision)[]): ApprovalGate & {
  readonly asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    review: async ({ planHash, reason }) => {
      const answer = answers[asked.length] ?? 'denied';
      asked.push(`${reason.kind} ${planHash}`);
      if (typeof answer !== 'string') return answer;
      if (answer === 'approved') return { kind: 'approved', planHash, scope: 'once', source: 'user' };
      if (answer === 'pending') return { kind: 'pending' };
      return { kind: answer, reason: 'because' };
    },
  };
}

export interface LoopFixture {
  readonly gate?: ApprovalGate;
  readonly executor?: ToolExecutor;
  readonly clock?: Clock;
  readonly journal?: MemoryJournal;
  readonly session?: JournalSession;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: OrchestratorEvent) => void | Promise<void>;
}

/** Runs one step to its end and gives everything there is to look at. */
export async function runStep(
  request: Partial<StepRequest> & Pick<StepRequest, 'agent'>,
  fixture: LoopFixture = {},
): Promise<{
  readonly state: StepState;
  readonly events: OrchestratorEvent[];
  readonly journal: MemoryJournal;
}> {
  const journal = fixture.journal ?? new MemoryJournal();
  const orchestrator = new ToolOrchestrator(
    fixture.executor ?? directExecutor,
    fixture.gate ?? gateOf(),
    anyObject,
    fixture.clock ?? new SteppingClock(),
    journal,
  );
  const events: OrchestratorEvent[] = [];
  const run = orchestrator.run(
    { step: 'work', messages: [{ role: 'user', content: 'go' }], tools: [], ...request },
    {
      signal: fixture.signal ?? new AbortController().signal,
      ...(fixture.session ? { session: fixture.session } : {}),
    },
  );
  let finished: StepState | undefined;
  // `for await` swallows what a generator returns, and its early exit is what some tests are about.
  const reading = (async function* () {
    finished = yield* run;
  })();
  for await (const event of reading) {
    events.push(event);
    await fixture.onEvent?.(event);
  }
  if (!finished) throw new Error('the run gave no state');
  return { state: finished, events, journal };
}
