import { accessSync, closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Bytes that a process can be given as a descriptor: a file without a name, so that nobody else can find or change
 * it. Unlike a pipe it never fills up.
 */
export class DataFile {
  readonly #descriptor: number;

  constructor(content: Buffer) {
    const folder = mkdtempSync(join(scratchFolder(), 'toolgate-data-'));
    try {
      const file = join(folder, 'data');
      writeFileSync(file, content, { mode: 0o400, flag: 'wx' });
      this.#descriptor = openSync(file, 'r');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A new descriptor that reads from the start; whoever asks for it closes it. */
  open(): number {
    return openSync(`/proc/self/fd/${this.#descriptor}`, 'r');
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** In memory where there is such a place: values of variables should not come to lie on a disk. */
function scratchFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}
