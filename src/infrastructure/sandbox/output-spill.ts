import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { codeOf } from './path-walk.js';

/** Larger outputs are cut in the file too: nobody reads them, and they fill disks. */
export const MAX_SPILL_BYTES = 64 * 1024 * 1024;

/** The file that takes the whole of an output that is too long. A file that cannot be written never fails a call. */
export class OutputSpill {
  #descriptor: number | undefined;
  #written = 0;
  #problem: string | undefined;

  constructor(readonly file: string) {
    this.#guard(() => {
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
      this.#descriptor = openSync(file, flags, 0o600);
    });
  }

  /** Why the file does not hold all of it, if it does not. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether there is a file at all. */
  get exists(): boolean {
    return this.#written > 0;
  }

  write(bytes: Buffer): void {
    if (this.#descriptor === undefined || this.#problem) return;
    const room = MAX_SPILL_BYTES - this.#written;
    this.#append(bytes.subarray(0, room));
    if (bytes.length <= room || this.#problem) return;
    this.#problem = `the file ends after ${MAX_SPILL_BYTES} bytes`;
    this.#guard(() => writeSync(this.#descriptor ?? -1, `\n[toolgate: ${this.#problem}]\n`));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  // Written at once, not queued: a process that prints faster than the disk takes has to wait.
  #append(bytes: Buffer): void {
    this.#guard(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor ?? -1, bytes, done);
      this.#written += bytes.length;
    });
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#problem = `the file could not be written (${codeOf(error)})`;
    }
  }
}
