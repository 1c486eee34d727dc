import type { Enforcement } from '../domain/enforcement.js';
import type { StartedProcess } from './sandbox.js';

/** A process that stays: written to and read from until it ends, or is ended. Nothing it started outlives it. */
export interface Service {
  readonly enforcement: Enforcement;
  /** What it writes to standard output, to be read once. */
  readonly output: AsyncIterable<Uint8Array>;
  /** To its standard input; lost if it has ended. One that does not read what it is sent is ended. */
  write(text: string): void;
  /** Resolves, never rejects, when it is gone with all that it started. */
  readonly ended: Promise<ServiceEnd>;
  stop(): Promise<void>;
}

export interface ServiceEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ServiceContext {
  /** Ends it, also while it is being started. */
  readonly signal: AbortSignal;
  /** Told before it can have done anything that matters. */
  readonly onStart?: (process: StartedProcess) => void;
  /** What it writes to standard error. */
  readonly onErrorOutput: (chunk: Uint8Array) => void;
}
