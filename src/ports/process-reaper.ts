import type { StartedProcess } from './sandbox.js';

/** Ends processes that a dead run left behind. */
export interface ProcessReaper {
  /** Ends the group if it is still the same one, and what left it; says whether all is gone. A reused pid is left alone. */
  end(process: StartedProcess, context: { readonly signal: AbortSignal }): Promise<'gone' | 'still-running'>;
}
