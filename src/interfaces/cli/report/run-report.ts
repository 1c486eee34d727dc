import type { JsonObject } from '../../../domain/json.js';

/** What a run did, for somebody who was not there. */
export interface RunReport {
  readonly runId: string;
  readonly workflow: string;
  /** Who started it, and where. */
  readonly user: string;
  readonly host: string;
  readonly workspace: string;
  readonly inputs: JsonObject;
  readonly startedAt: string;
  readonly lastAt: string;
  /** `unfinished` where the record has no end: the process died, or still runs. */
  readonly status: string;
  readonly resumed: number;
  readonly records: number;
  readonly steps: readonly StepReport[];
}

export interface StepReport {
  readonly name: string;
  readonly stoppedBy: string;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
  /** What the agent or its program was warned of. */
  readonly warnings: readonly string[];
  readonly calls: readonly CallReport[];
}

/** `open`: not run, and nothing decided yet; `unknown`: it began, and nothing was recorded after that. */
export type CallStatus = 'success' | 'failure' | 'denied' | 'skipped' | 'bypassed' | 'open' | 'unknown';

export interface CallReport {
  /** As the agent, the trail and `toolgate approve` call it. */
  readonly id: string;
  readonly tool: string;
  /** What it was to do: as it ran, or as it was asked for where it did not. */
  readonly arguments: JsonObject;
  readonly status: CallStatus;
  /** Who let it run: a policy, a rule, a person, a flag. */
  readonly approval: string;
  /** What people were asked about it and what they said, in order. */
  readonly answers: readonly string[];
  readonly durationMs: number;
  /** What held it: the kernel, our own process, or nothing. */
  readonly heldBy: string;
  readonly error: string;
  readonly output: string;
}
