import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import { type JournalRecord, withheldSecret } from '../../domain/journal.js';
import type { Json } from '../../domain/json.js';
import type { JournalSession, OpenOptions, RunJournal, RunPlace, Secret } from '../../ports/run-journal.js';
import { type JournalHeader, type ReadChain, readChain, sha256 } from './chain.js';
import { JsonlSession } from './jsonl-session.js';
import { isLeased, type Lease, takeLease } from './lease.js';
import { SecretVault } from './secret-vault.js';
import { findRun, makeFolders, namesIn, runsFolder, stateHome } from './state-folder.js';

export interface JsonlJournalOptions {
  /** New runs are filed under it; also what `list` looks at. Left out: no run can be created, all are listed. */
  readonly workspace?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const FILE = 'journal.jsonl';

/** One hash-chained JSONL file a run, outside the workspace, readable by its owner only. */
export class JsonlRunJournal implements RunJournal {
  readonly home: string;

  constructor(private readonly options: JsonlJournalOptions = {}) {
    this.home = stateHome(options.env ?? process.env);
  }

  async open(runId: string, mode: 'create' | 'continue', options: OpenOptions): Promise<JournalSession> {
    return mode === 'create' ? this.#create(runId, options) : this.#continue(runId, options);
  }

  async read(
    runId: string,
    { secrets = [] }: { readonly secrets?: readonly Secret[] } = {},
  ): Promise<readonly JournalRecord[]> {
    const chain = readSound(await this.#find(runId), runId);
    return unsealed(chain, secrets, withheldSecret);
  }

  async list(): Promise<readonly string[]> {
    const { workspace } = this.options;
    const folders = workspace
      ? [await runsFolder(this.home, workspace)]
      : (await namesIn(this.home)).map((name) => join(this.home, name, 'runs'));
    const runs = await Promise.all(folders.map(namesIn));
    return runs.flat().sort().reverse();
  }

  async inspect(runId: string): Promise<RunPlace> {
    const folder = await this.#find(runId);
    return { folder, isHeld: isLeased(folder) };
  }

  async #find(runId: string): Promise<string> {
    const folder = await findRun(this.home, runId);
    if (folder) return folder;
    throw new ToolgateError('USER.RUN.NOT_FOUND', `There is no run "${runId}"; "toolgate runs" lists them`);
  }

  async #create(runId: string, options: OpenOptions): Promise<JournalSession> {
    const folder = join(await runsFolder(this.home, this.options.workspace ?? process.cwd()), runId);
    return writing(folder, async () => {
      makeFolders(dirname(folder));
      mkdirSync(folder, { mode: 0o700 });
      try {
        return createSession(folder, runId, options);
      } catch (error) {
        // A run that never began is none: a full disk must not fill the list of runs.
        rmSync(folder, { recursive: true, force: true });
        throw error;
      }
    });
  }

  async #continue(runId: string, options: OpenOptions): Promise<JournalSession> {
    const folder = await this.#find(runId);
    return writing(folder, async () => {
      const lease = takeLease(folder);
      try {
        return continueSession(folder, runId, { lease, options });
      } catch (error) {
        lease.release();
        throw error;
      }
    });
  }
}

function createSession(folder: string, runId: string, options: OpenOptions): JsonlSession {
  const { durability, secrets } = options;
  const lease = takeLease(folder);
  const header = newHeader(runId);
  const fd = openSync(join(folder, FILE), 'ax', 0o600);
  writeSync(fd, `${JSON.stringify(header)}\n`);
  if (durability === 'power') syncFolder(folder);
  const vault = new SecretVault(secrets, header.nonce);
  const lastHash = sha256(JSON.stringify(header));
  return new JsonlSession({ runId, folder, fd, lease, vault, durability, records: [], lastHash });
}

function continueSession(
  folder: string,
  runId: string,
  { lease, options }: { readonly lease: Lease; readonly options: OpenOptions },
): JsonlSession {
  const chain = readSound(folder, runId);
  const records = unsealed(chain, options.secrets, missingSecret);
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
  const fd = openSync(join(folder, FILE), O_WRONLY | O_APPEND | O_NOFOLLOW);
  ftruncateSync(fd, chain.soundBytes);
  const vault = new SecretVault(options.secrets, chain.header.nonce);
  const { durability } = options;
  return new JsonlSession({ runId, folder, fd, lease, vault, durability, records, lastHash: chain.lastHash });
}

function newHeader(run: string): JournalHeader {
  return { toolgate: 'journal', version: 1, run, nonce: randomBytes(8).toString('hex') };
}

function readSound(folder: string, runId: string): ReadChain {
  const chain = readChain(readBytes(join(folder, FILE)));
  const broken = 'records' in chain ? chain.broken : chain;
  if (!broken && 'records' in chain) return chain;
  throw new ToolgateError(
    'SYSTEM.JOURNAL.BROKEN',
    `The journal of run ${runId} is broken at line ${broken?.line}: it ${broken?.problem}`,
    { details: { ...broken, file: join(folder, FILE) } },
  );
}

function unsealed(
  chain: ReadChain,
  secrets: readonly Secret[],
  onUnknown: (name: string) => string,
): readonly JournalRecord[] {
  const vault = new SecretVault(secrets, chain.header.nonce);
  return vault.unseal(chain.records as unknown as Json, onUnknown) as unknown as readonly JournalRecord[];
}

function missingSecret(name: string): never {
  throw new ToolgateError(
    'USER.INPUT.MISSING',
    `The run needs the secret ${name} again to go on: give it as before`,
  );
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ToolgateError('SYSTEM.IO.READ_FAILED', `Cannot read ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function writing<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolgateError) throw error;
    const message = `Cannot write the run's folder ${folder}: ${messageOf(error)}. Set XDG_STATE_HOME to a folder that can be written.`;
    throw new ToolgateError('SYSTEM.JOURNAL.UNWRITABLE', message, { cause: error });
  }
}

/** A new file is only safe from a power cut once its folder is on the disk too. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY);
  fsyncSync(fd);
  closeSync(fd);
}
