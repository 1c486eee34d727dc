import { ToolgateError } from '../../domain/errors.js';
import type { JournalEntry, JournalRecord } from '../../domain/journal.js';
import type { Clock } from '../../ports/clock.js';
import type { JournalSession, RunJournal, RunPlace } from '../../ports/run-journal.js';

/** How much of closed runs is kept: a server that runs for months must not keep it all. */
const KEPT_RUNS = 16;
const KEPT_RECORDS = 1_000;

/** A journal that lives and dies with the process: no durability, and only the newest runs to look at. */
export class MemoryJournal implements RunJournal {
  readonly #runs: Map<string, JournalRecord[]>;
  readonly #leased = new Set<string>();

  /** `runs` are what an earlier process left: a test can begin in the middle of a run. */
  constructor(
    private readonly clock: Pick<Clock, 'now'> = { now: Date.now },
    runs: Iterable<readonly [string, readonly JournalRecord[]]> = [],
  ) {
    this.#runs = new Map([...runs].map(([runId, records]) => [runId, [...records]]));
  }

  async open(runId: string, mode: 'create' | 'continue'): Promise<JournalSession> {
    const existing = this.#runs.get(runId);
    if (mode === 'create' && existing) {
      throw new ToolgateError('SYSTEM.JOURNAL.LEASED', `There is a run "${runId}" already`);
    }
    if (mode === 'continue' && !existing) throw notFound(runId);
    if (this.#leased.has(runId)) {
      throw new ToolgateError('SYSTEM.JOURNAL.LEASED', `Run "${runId}" is being worked on already`);
    }
    const records = existing ?? [];
    this.#runs.set(runId, records);
    this.#leased.add(runId);
    return this.#session(runId, records);
  }

  async read(runId: string): Promise<readonly JournalRecord[]> {
    const records = this.#runs.get(runId);
    if (!records) throw notFound(runId);
    return records;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#runs.keys()].reverse();
  }

  async inspect(runId: string): Promise<RunPlace> {
    if (!this.#runs.has(runId)) throw notFound(runId);
    return { isHeld: this.#leased.has(runId) };
  }

  /** The newest closed run stays whatever its length; somebody may be about to read it. */
  #forgetOldest(): void {
    const closed = [...this.#runs].filter(([runId]) => !this.#leased.has(runId)).reverse();
    let records = 0;
    for (const [index, [runId, own]] of closed.entries()) {
      records += own.length;
      if (index >= KEPT_RUNS || (index > 0 && records > KEPT_RECORDS)) this.#runs.delete(runId);
    }
  }

  #session(runId: string, records: JournalRecord[]): JournalSession {
    let isOpen = true;
    return {
      runId,
      records: records.slice(),
      append: (entry: JournalEntry): JournalRecord => {
        if (!isOpen) throw new ToolgateError('SYSTEM.JOURNAL.UNWRITABLE', `Run "${runId}" is closed`);
        const record: JournalRecord = { seq: records.length + 1, at: this.clock.now(), ...entry };
        records.push(record);
        return record;
      },
      close: async () => {
        isOpen = false;
        this.#leased.delete(runId);
        this.#forgetOldest();
      },
    };
  }
}

function notFound(runId: string): ToolgateError {
  return new ToolgateError('USER.RUN.NOT_FOUND', `There is no run "${runId}"`);
}
