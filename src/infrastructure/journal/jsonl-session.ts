import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { JournalEntry, JournalRecord } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { Durability, JournalSession } from '../../ports/run-journal.js';
import { encodeLine } from './chain.js';
import type { Lease } from './lease.js';
import type { SecretVault } from './secret-vault.js';

export interface SessionState {
  readonly runId: string;
  readonly folder: string;
  readonly fd: number;
  readonly lease: Lease;
  readonly vault: SecretVault;
  readonly durability: Durability;
  readonly records: readonly JournalRecord[];
  readonly lastHash: string;
}

/** Writes one run's journal: a record is one line, one write, and either all of it is there or none. */
export class JsonlSession implements JournalSession {
  readonly runId: string;
  readonly folder: string;
  readonly records: readonly JournalRecord[];
  #seq: number;
  #lastHash: string;
  #offset: number;
  #unusable: string | undefined;

  constructor(private readonly state: SessionState) {
    this.runId = state.runId;
    this.folder = state.folder;
    this.records = state.records;
    this.#seq = state.records.length;
    this.#lastHash = state.lastHash;
    this.#offset = fstatSync(state.fd).size;
  }

  append(entry: JournalEntry): JournalRecord {
    if (this.#unusable) throw unwritable(this.#unusable);
    const record = { seq: this.#seq + 1, at: Date.now(), ...entry };
    const text = JSON.stringify(this.state.vault.seal(record as unknown as Json));
    const { line, hash } = encodeLine(this.#lastHash, text);
    this.#write(Buffer.from(line));
    this.#seq += 1;
    this.#lastHash = hash;
    return record;
  }

  async close(): Promise<void> {
    if (this.#unusable === CLOSED) return;
    this.#unusable = CLOSED;
    closeSync(this.state.fd);
    this.state.lease.release();
  }

  #write(line: Buffer): void {
    const { fd, durability } = this.state;
    try {
      const written = writeSync(fd, line);
      if (written < line.length) throw new Error('the disk is full');
      if (durability === 'power') fdatasyncSync(fd);
      this.#offset += written;
    } catch (error) {
      this.#takeBack();
      // What failed once may have lost more than it says: nothing more is written in this session.
      this.#unusable = `The journal of run ${this.runId} cannot be written: ${messageOf(error)}`;
      throw unwritable(this.#unusable, error);
    }
  }

  /** Removes the part of a line that did get written, so that the file stays a sound journal. */
  #takeBack(): void {
    try {
      ftruncateSync(this.state.fd, this.#offset);
    } catch {
      // Then the part stays, without its end, and is dropped as torn on reading.
    }
  }
}

const CLOSED = 'The journal is closed';

function unwritable(message: string, cause?: unknown): ToolgateError {
  return new ToolgateError('SYSTEM.JOURNAL.UNWRITABLE', message, { cause });
}
