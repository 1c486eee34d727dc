import type { EffectKind } from './effect.js';
import type { Json, JsonObject } from './json.js';
import type { StopReason } from './step-state.js';

/** Everything a run's journal can say. State, transcript, audit and resume are folds over a list of these. */
export type JournalEntry =
  | {
      readonly type: 'run-started';
      readonly runId: string;
      /** The resolved workflow, frozen: a run continues with what it began with. */
      readonly workflow: JsonObject;
      readonly workflowHash: string;
      readonly inputs: JsonObject;
      readonly workspace: string;
      /** How it was started: provider overrides, script, flags that a resumed run needs again. */
      readonly options: JsonObject;
      readonly version: string;
    }
  | { readonly type: 'run-resumed' }
  | { readonly type: 'step-started'; readonly step: string }
  /** About to happen; one record for all effects of a batch. */
  | { readonly type: 'intent'; readonly effects: readonly JournaledEffect[] }
  | { readonly type: 'outcome'; readonly id: string; readonly kind: EffectKind; readonly value: Json }
  /** A process that an effect started, so that a crash leaves a trace of it. */
  | {
      readonly type: 'process';
      readonly id: string;
      readonly pid: number;
      readonly startTime: string;
      /** The folder that only this process and what came of it have as their HOME. */
      readonly home?: string;
    }
  | { readonly type: 'signal'; readonly name: string; readonly payload: Json }
  | { readonly type: 'step-ended'; readonly step: string; readonly stoppedBy: StopReason }
  | { readonly type: 'run-ended'; readonly status: RunStatus };

/** `suspended` is not an end: such a run waits for an answer and can be resumed. */
export type RunStatus = 'success' | 'failure' | 'cancelled' | 'suspended';

export interface JournaledEffect {
  readonly id: string;
  readonly kind: EffectKind;
  readonly input: Json;
}

/** An entry in its place. */
export type JournalRecord = JournalEntry & {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** What stands for a secret where a journal is read without it. */
export function withheldSecret(name: string): string {
  return `[secret ${name}]`;
}

/** Finds what stands for secrets. */
export const WITHHELD_SECRET = /\[secret [^\]\n"\\]+\]/g;
