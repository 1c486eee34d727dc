import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { CallReport, CallStatus, RunReport, StepReport } from './run-report.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenStep = Mutable<Omit<StepReport, 'calls' | 'warnings'>> & { calls: OpenCall[]; warnings: string[] };
type OpenCall = Mutable<Omit<CallReport, 'answers'>> & { answers: string[] };

/** Folds the events of an audit trail, which are redacted already, into a report. */
export function reportOf(events: readonly JsonObject[], records: number): RunReport {
  const of = (name: string) => events.filter(({ event }) => event === name);
  const first = of('run.start')[0] ?? {};
  return {
    runId: textOf(first.execution_id),
    workflow: textOf(first.workflow_name),
    user: textOf(first.user),
    host: textOf(first.hostname),
    workspace: textOf(first.workspace),
    inputs: objectOf(first.inputs),
    startedAt: textOf(first.timestamp),
    lastAt: textOf(events.at(-1)?.timestamp),
    status: statusOf(events),
    resumed: of('run.resume').length,
    records,
    steps: new StepFold().fold(events),
  };
}

/** A run that was resumed has no end until it comes to one again. */
function statusOf(events: readonly JsonObject[]): string {
  const last = events.findLast(({ event }) => ENDINGS.has(event));
  if (last?.event === 'run.end') return textOf(last.status);
  return last?.event === 'run.suspend' ? 'suspended' : 'unfinished';
}

const ENDINGS: ReadonlySet<unknown> = new Set(['run.end', 'run.suspend', 'run.resume']);

/** Gathers what belongs to each step, and within it to each call. */
class StepFold {
  readonly #steps = new Map<string, OpenStep>();
  /** Calls that have no end yet, by the id that the agent gave them: it may use one again once it has. */
  readonly #open = new Map<string, OpenCall>();

  fold(events: readonly JsonObject[]): readonly StepReport[] {
    for (const event of events) if (typeof event.step === 'string') this.#take(event, this.#step(event.step));
    return [...this.#steps.values()];
  }

  #take(event: JsonObject, step: OpenStep): void {
    switch (event.event) {
      case 'step.end':
        step.stoppedBy = textOf(event.stopped_by);
        return;
      case 'turn':
        step.turns += 1;
        this.#spend(event, step);
        // In the order of the agent's, which is not the order of questions and ends.
        for (const call of listOf(event.calls)) this.#call({ ...call, step: step.name }, step);
        return;
      case 'summary':
        this.#spend(event, step);
        return;
      case 'agent.warning':
        step.warnings.push(textOf(event.message));
        return;
      case 'tool.bypassed':
        step.calls.push({ ...newCall(event), status: 'bypassed' });
        return;
      default:
        this.#takeCall(event, step);
    }
  }

  #takeCall(event: JsonObject, step: OpenStep): void {
    switch (event.event) {
      case 'approval.asked':
        this.#call(event, step).answers.push(`asked, because ${textOf(objectOf(event.reason).text)}`);
        return;
      case 'approval.answered':
        this.#call(event, step).answers.push(answerOf(event));
        return;
      case 'tool.call':
        Object.assign(this.#call(event, step), {
          arguments: objectOf(event.arguments),
          approval: textOf(event.approval),
          status: 'unknown',
        });
        return;
      case 'tool.result':
      case 'tool.denied':
      case 'tool.skipped':
        this.#end(event, this.#call(event, step));
    }
  }

  #end(event: JsonObject, call: OpenCall): void {
    this.#open.delete(keyOf(event));
    call.status = event.event === 'tool.skipped' ? 'skipped' : (textOf(event.status) as CallStatus);
    if (isJsonObject(event.arguments)) call.arguments = event.arguments;
    call.approval = textOf(event.approval) || call.approval;
    call.durationMs = numberOf(event.duration_ms);
    call.heldBy = textOf(objectOf(event.enforcement).backend);
    call.error = textOf(objectOf(event.error).message) || textOf(event.reason);
    call.output = textOf(event.output);
  }

  #spend(event: JsonObject, step: OpenStep): void {
    const usage = objectOf(event.usage);
    step.tokens += numberOf(usage.input_tokens) + numberOf(usage.output_tokens);
    step.costUsd += numberOf(usage.cost_usd);
  }

  #step(name: string): OpenStep {
    const known = this.#steps.get(name);
    if (known) return known;
    const step = { name, stoppedBy: '', turns: 0, tokens: 0, costUsd: 0, warnings: [], calls: [] };
    this.#steps.set(name, step);
    return step;
  }

  #call(event: JsonObject, step: OpenStep): OpenCall {
    const known = this.#open.get(keyOf(event));
    if (known) return known;
    const call = newCall(event);
    this.#open.set(keyOf(event), call);
    step.calls.push(call);
    return call;
  }
}

function newCall(event: JsonObject): OpenCall {
  return {
    id: textOf(event.call_id),
    tool: textOf(event.tool),
    arguments: objectOf(event.arguments),
    status: 'open',
    approval: '',
    answers: [],
    durationMs: 0,
    heldBy: '',
    error: '',
    output: '',
  };
}

function keyOf({ step, call_id: callId }: JsonObject): string {
  return JSON.stringify([step, callId]);
}

/** `approved for this run by ann, with other arguments`. */
function answerOf(event: JsonObject): string {
  const by = event.by === undefined ? '' : ` by ${textOf(event.by)}`;
  const reason = event.reason === undefined ? '' : `: ${textOf(event.reason)}`;
  if (event.decision !== 'approved') return `${textOf(event.decision)}${by}${reason}`;
  const edited = event.arguments === undefined ? '' : ', with other arguments';
  return `approved (${textOf(event.scope)}, ${textOf(event.source)})${by}${edited}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
