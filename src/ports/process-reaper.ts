import type { StartedProcess } from './sandbox.js';

/** Ends process groups that a dead run left behind. */
export interface ProcessReaper {
  /** Ends the group if it is still the same one; says whether it is gone. A reused pid is left alone. */
  end(process: StartedProcess, context: { readonly signal: AbortSignal }): Promise<'gone' | 'still-running'>;
}
