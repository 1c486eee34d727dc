import type { AgentProviders } from './agent-provider.js';
import type { Secret } from './run-journal.js';

/** Where the exchanges of a run with its agents are kept, or taken from. */
export interface Recording {
  readonly mode: 'record' | 'replay';
  /** Absolute, so that a run finds it again from wherever it is resumed. */
  readonly file: string;
}

/** What must not stand in a recording: secrets, and where this machine keeps the workspace. */
export interface RecordedRunContext {
  readonly secrets: readonly Secret[];
  readonly workspace: string;
  readonly isResumed: boolean;
}

/**
 * Keeps every request to an agent and its reply, and plays them back. A replayed run asks no provider at all; a
 * request that is not the recorded one fails, and says how it differs. What is recorded is there when the reply is.
 */
export interface AgentRecordings {
  open(recording: Recording, run: RecordedRunContext): Promise<Tape>;
}

/** An opened recording. */
export interface Tape {
  /** Providers that are recorded, or that are played in the place of these. */
  wrap(providers: AgentProviders): AgentProviders;
  /** What whoever runs it should know once the run is over, such as that not all of a recording was played. */
  warnings?(): readonly string[];
}
