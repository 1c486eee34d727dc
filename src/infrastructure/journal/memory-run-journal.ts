import { ToolgateError } from '../../domain/errors.js';
import type { JournalEntry, JournalRecord } from '../../domain/journal.js';
import type { Clock } from '../../ports/clock.js';
import type { JournalSession, RunJournal, RunPlace } from '../../ports/run-journal.js';

/** A journal that lives and dies with the process: no durability, and nothing to clean up. */
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
      },
    };
  }
}

function notFound(runId: string): ToolgateError {
  return new ToolgateError('USER.RUN.NOT_FOUND', `There is no run "${runId}"`);
}
