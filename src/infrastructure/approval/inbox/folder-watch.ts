import { type FSWatcher, readdirSync, watch } from 'node:fs';

/** Notices of the kernel are lost on some file systems, and may be used up: then this is how late an answer is. */
const LOOK_AGAIN_MS = 1000;

/** Tells what a folder holds whenever that may have changed. One watch serves however many listen. */
export class FolderWatch {
  readonly #listeners = new Set<(names: ReadonlySet<string>) => void>();
  #watcher: FSWatcher | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly folder: string) {}

  /** Gives back what ends the listening. */
  listen(listener: (names: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    this.#timer = setInterval(this.#look, LOOK_AGAIN_MS);
    try {
      this.#watcher = watch(this.folder, this.#look);
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Without notices there is still the timer.
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  readonly #look = (): void => {
    const names = namesIn(this.folder);
    for (const listener of [...this.#listeners]) listener(names);
  };
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
