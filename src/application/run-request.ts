import type { RunStatus } from '../domain/journal.js';
import type { JsonObject } from '../domain/json.js';
import type { StepState } from '../domain/step-state.js';
import type { InputValues, Workflow } from '../domain/workflow.js';
import type { Recording } from '../ports/agent-recordings.js';
import type { Durability } from '../ports/run-journal.js';
import type { OrchestratorEvent } from './events.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A workflow with all it needs to run. */
export interface RunRequest {
  readonly workflow: Workflow;
  readonly inputs: InputValues;
  /** Absolute, without links. */
  readonly workspace: string;
  readonly env: Environment;
  /** Replaces every step's own provider. */
  readonly provider?: string;
  readonly providerOptions?: JsonObject;
  readonly durability?: Durability;
  /** Keeps what agents are asked and answer in a file, or takes their answers from one. */
  readonly recording?: Recording;
}

/** A run as it is asked for: without an environment it has an empty one. */
export type RunStart = Omit<RunRequest, 'env'> & Partial<Pick<RunRequest, 'env'>>;

/** A run that is to go on. */
export interface ResumeRequest {
  readonly runId: string;
  /** Empty if left out. */
  readonly env?: Environment;
  /** Values of secret inputs, which the record does not hold. */
  readonly secretInputs?: InputValues;
  /** The file as it is now; a run refuses to go on with another than it began with, unless told so. */
  readonly workflow?: Workflow;
  readonly acceptChanges?: boolean;
  readonly durability?: Durability;
}

/** Everything that happens in a run, as it happens. */
export type RunEvent =
  | OrchestratorEvent
  | {
      readonly type: 'run-start';
      readonly runId: string;
      readonly workflow: string;
      readonly resumed: boolean;
    }
  | { readonly type: 'run-warning'; readonly message: string }
  | { readonly type: 'run-end'; readonly runId: string; readonly status: RunStatus };

export interface RunOutcome {
  readonly runId: string;
  readonly status: RunStatus;
  /** In the order the steps ran. */
  readonly states: ReadonlyMap<string, StepState>;
  /** What the workflow says about a failure, where it says something. */
  readonly message?: string;
}
