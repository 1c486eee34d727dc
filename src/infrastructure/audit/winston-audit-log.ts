import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type winston from 'winston';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { AuditedRun, AuditLog, AuditSession } from '../../ports/audit-log.js';
import { AuditFile } from './audit-file.js';
import { RunAuditSession, type TrailEnd, trailEndOf } from './run-audit-session.js';
import { type AuditWriter, createFileLogger, UserTransports } from './winston-loggers.js';

export interface WinstonAuditLogOptions {
  /** Who answers for the run; the account it runs under unless said otherwise. */
  readonly user?: string;
  readonly hostname?: string;
  /** Transports of the user's own: each gets every event beside the file. Whoever made them closes them. */
  readonly transports?: readonly winston.transport[];
  /** Told once, when one of them first fails; by default a process warning. */
  readonly onTransportError?: (error: unknown) => void;
}

/** Keeps the trail in `audit.jsonl` of the run's folder, written through winston; the file is required. */
export class WinstonAuditLog implements AuditLog {
  readonly #transports: UserTransports;
  readonly #origin: { readonly user: string; readonly hostname: string };

  constructor(options: WinstonAuditLogOptions = {}) {
    this.#transports = new UserTransports(options.transports ?? [], options.onTransportError ?? warn);
    this.#origin = { user: options.user ?? accountName(), hostname: options.hostname ?? hostname() };
  }

  async open(run: AuditedRun): Promise<AuditSession> {
    const userWriters = await this.#transports.open();
    const { end, writers, close } = await this.#openTrail(run);
    const closeAll = async () => {
      close();
      await this.#transports.drain();
    };
    return new RunAuditSession({
      run,
      origin: this.#origin,
      end,
      writers: [...writers, ...userWriters],
      close: closeAll,
    });
  }

  async #openTrail(run: AuditedRun): Promise<{ end?: TrailEnd; writers: AuditWriter[]; close: () => void }> {
    if (run.folder === undefined) return { writers: [], close: () => {} };
    const path = join(run.folder, 'audit.jsonl');
    let file: AuditFile | undefined;
    try {
      file = AuditFile.open(path);
      const opened = file;
      const end = opened.newest((line) => trailEndOf(line, run.runId));
      const log = await createFileLogger(opened);
      const write: AuditWriter = (line, level) => orUnwritable(path, () => log(line, level));
      return { ...(end ? { end } : {}), writers: [write], close: () => opened.close() };
    } catch (error) {
      file?.close();
      throw unwritable(path, error);
    }
  }
}

function orUnwritable(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): ToolgateError {
  const message = `The audit log ${path} cannot be written: ${messageOf(cause)}. Nothing runs without it.`;
  return new ToolgateError('SYSTEM.AUDIT.UNWRITABLE', message, { cause });
}

function warn(error: unknown): void {
  process.emitWarning(`An audit transport failed; the run's own trail goes on: ${messageOf(error)}`);
}

/** An account without a name, as containers have them, is named by its number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid:${process.getuid?.() ?? 'unknown'}`;
  }
}
