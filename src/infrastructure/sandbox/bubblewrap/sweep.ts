import { basename, dirname } from 'node:path';
import type { GuardScan } from './guard-scan.js';
import { forgetTaken, newcomersOf, newlyUnseen } from './newcomers.js';
import { enterFolder, quarantine } from './quarantine.js';
import { openEntry } from './take-entry.js';

/** What a sweep needs to know of the call that it comes after. */
export interface SweepTask {
  readonly before: GuardScan;
  /** Looks at the disk as it is now. */
  readonly look: () => GuardScan;
  /** Where to keep what is found; without it, it is removed. */
  readonly folder: string | undefined;
}

/** What was done; where `isClean` is false, something may be left. */
export interface Swept {
  readonly isClean: boolean;
  readonly said: readonly string[];
}

/** A process that can be ended at once. */
export interface Endable {
  kill(): void;
  /** Whether nothing of it is alive. */
  readonly isGateGone: boolean;
}

const GONE_MS = 2;
const GONE_ATTEMPTS = 250;
/** Folders in folders, each closed, each shown by opening the one before. */
const MAX_OPENINGS = 20;
/** More are needed only while other calls go on making files. */
const MAX_ROUNDS = 4;
const MAX_SAID = 5;

/** Calls whose sweep is still to come. */
const pending = new Set<Sweep>();

/**
 * Sees to it that what a process made under a protected name is no longer there when anybody learns that it ended.
 * Made before the process starts; if this program ends before it, the sweep is done on the way out.
 */
export class Sweep {
  readonly #since = performance.now();
  #process: Endable | undefined;

  constructor(private readonly task: SweepTask) {
    if (pending.size === 0) process.on('exit', sweepAll);
    pending.add(this);
  }

  /** Says which process is to be ended first, if this program ends before it. */
  watch(process: Endable): void {
    this.#process = process;
  }

  /** What still runs would make again what is taken away. */
  endProcess(): void {
    this.#process?.kill();
    const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    for (let attempt = 0; attempt < GONE_ATTEMPTS && this.#process?.isGateGone === false; attempt++)
      Atomics.wait(clock, 0, 0, GONE_MS);
  }

  /** Never waits, so that nobody can give up in between. */
  finish(): Swept {
    try {
      return this.#sweep();
    } finally {
      pending.delete(this);
      if (pending.size === 0) process.off('exit', sweepAll);
      forgetTaken(Math.min(...[...pending].map((other) => other.#since)));
    }
  }

  #sweep(): Swept {
    const { before, folder } = this.task;
    const said: string[] = [];
    for (let round = 1; ; round++) {
      const { after, unseen } = this.#lookEverywhere();
      const newcomers = newcomersOf({ before, after, since: this.#since });
      const { said: more, stuck } = quarantine(newcomers, { before, folder });
      said.push(...more);
      // What is taken away may have covered something else.
      if (newcomers.length === 0 || stuck.length > 0 || round === MAX_ROUNDS)
        return { isClean: stuck.length + unseen.length === 0, said: [...leftNotes(stuck, unseen), ...said] };
    }
  }

  /** What the process closed is opened. */
  #lookEverywhere(): { readonly after: GuardScan; readonly unseen: readonly string[] } {
    for (let round = 0; ; round++) {
      const after = this.task.look();
      const unseen = newlyUnseen(this.task.before, after);
      const closed = unseen.filter((path) => after.unseen.get(path) === 'closed');
      if (closed.length === 0 || round === MAX_OPENINGS || !closed.map(openFolder).includes(true))
        return { after, unseen };
    }
  }
}

function leftNotes(stuck: readonly string[], unseen: readonly string[]): readonly string[] {
  const notes = [
    ...stuck.map((path) => `"${path}" could not be taken away: remove it before anything obeys it`),
    ...unseen.map((path) => `"${path}" could not be searched for protected files that were made in it`),
  ];
  const more = notes.length - MAX_SAID;
  return more > 0 ? [...notes.slice(0, MAX_SAID), `and ${more} more`] : notes;
}

function openFolder(path: string): boolean {
  const parent = enterFolder(dirname(path));
  if (!parent) return false;
  try {
    return openEntry(parent, basename(path)) !== undefined;
  } finally {
    parent.close();
  }
}

function sweepAll(): void {
  for (const sweep of pending) sweep.endProcess();
  for (const sweep of pending) sweep.finish();
}
