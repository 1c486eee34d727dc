import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type {
  NewDecision,
  RememberedDecision,
  RememberedDecisions,
  RememberedRead,
} from '../../ports/remembered-decisions.js';
import { readOwnFile, replaceOwnFile } from './approvals-file.js';
import { forgetOldLeases, type Lease, takeLease } from './lease.js';
import { makeFolders, stateHome, workspaceFolder } from './state-folder.js';

export interface FileRememberedOptions {
  readonly workspace: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const ATTEMPTS = 200;
const PAUSE_MS = 25;

/** One YAML file beside the runs of a workspace, which its owner can read and edit, and nobody else can write. */
export class FileRememberedDecisions implements RememberedDecisions {
  readonly #home: string;

  constructor(private readonly options: FileRememberedOptions) {
    this.#home = stateHome(options.env ?? process.env);
  }

  async read(): Promise<RememberedRead> {
    let file = 'approvals.yaml';
    try {
      file = join(await this.#folder(), file);
      return { decisions: await load(file) };
    } catch (error) {
      return { decisions: [], problem: `${file} is not used: ${messageOf(error)}` };
    }
  }

  async add(decision: NewDecision): Promise<RememberedDecision> {
    const added = { ...decision, id: randomBytes(4).toString('hex') };
    await this.#change((decisions) => [...decisions, added]);
    return added;
  }

  async revoke(id: string): Promise<boolean> {
    const { decisions } = await this.read();
    if (!decisions.some((one) => one.id === id)) return false;
    return this.#change((present) => present.filter((one) => one.id !== id));
  }

  /** False if nothing changed. A file that cannot be read is somebody's work, and is not written over. */
  async #change(
    change: (decisions: readonly RememberedDecision[]) => readonly RememberedDecision[],
  ): Promise<boolean> {
    const folder = await this.#folder();
    const file = join(folder, 'approvals.yaml');
    const locks = join(folder, 'approvals.locks');
    makeFolders(locks);
    const lease = await waitForLease(locks);
    try {
      const before = await load(file);
      const after = change(before);
      const { readApprovals, writeApprovals } = await import('./approvals-text.js');
      const text = writeApprovals(after);
      // What could not be read again would take all the others with it.
      readApprovals(text);
      replaceOwnFile(file, text);
      return after.length !== before.length;
    } catch (error) {
      throw new ToolgateError('SYSTEM.IO.WRITE_FAILED', `${file} was not changed: ${messageOf(error)}`);
    } finally {
      lease.release();
      forgetOldLeases(locks);
    }
  }

  #folder(): Promise<string> {
    return workspaceFolder(this.#home, this.options.workspace);
  }
}

async function load(file: string): Promise<readonly RememberedDecision[]> {
  const text = readOwnFile(file);
  if (text === undefined) return [];
  const { readApprovals } = await import('./approvals-text.js');
  return readApprovals(text);
}

/** Another process writes for a moment only; one that died while it did is noticed by the lease. */
async function waitForLease(folder: string): Promise<Lease> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return takeLease(folder);
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** Taken just now, or tidied away while we looked. */
function isPassing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'SYSTEM.JOURNAL.LEASED' || code === 'ENOENT';
}
