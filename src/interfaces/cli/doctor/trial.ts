import type { Enforcement } from '../../../domain/enforcement.js';
import type { ProcessCommand, ProcessOutcome } from '../../../ports/sandbox.js';
import type { Stage } from './stage.js';

/** What would have to hold an escape: a layer of the enforcement, the confinement as a whole, or our own hygiene. */
export type Holder =
  | Exclude<keyof Enforcement, 'backend' | 'reasons'>
  | 'confinement'
  /** Descriptors are closed by this process, before any sandbox is involved. */
  | 'descriptors';

/** One way out of the sandbox: a constant script, and a look from outside at what came of it. */
export interface Trial {
  readonly id: string;
  /** As the table says it: "write a file outside of the workspace". */
  readonly tried: string;
  readonly holder: Holder;
  prepare(stage: Stage): Promise<PreparedTrial> | PreparedTrial;
}

/** A trial whose traps are set. */
export interface PreparedTrial {
  readonly command: ProcessCommand;
  /** What is seen from outside, once the call is over. */
  look(outcome: ProcessOutcome): Promise<Sight> | Sight;
  /** Takes the traps away again, however it ended. */
  close?(): Promise<void> | void;
}

/** What a look from outside shows. Without the mark the script never got as far as trying. */
export type Sight =
  | { readonly seen: 'effect'; readonly detail: string }
  | { readonly seen: 'nothing' }
  /** Nothing could be told here whoever holds what: not counted. */
  | { readonly seen: 'inapplicable'; readonly detail: string }
  | { readonly seen: 'no attempt'; readonly detail: string };
