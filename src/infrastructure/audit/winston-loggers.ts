import { setTimeout as delay } from 'node:timers/promises';
import type winston from 'winston';
import type { AuditFile } from './audit-file.js';

/** What winston's own transports print, whatever else a record holds. */
const MESSAGE = Symbol.for('message');
const LEVEL = Symbol.for('level');
const LONGEST_DRAIN_MS = 2000;

/** Takes one line of the trail. */
export type AuditWriter = (line: string, level: 'info' | 'warn') => void;

/**
 * A logger with the file as its only transport. Alone, because winston stops feeding all transports while one of
 * them is slow; so its write is done, or has thrown, when `log` returns.
 */
export async function createFileLogger(file: AuditFile): Promise<AuditWriter> {
  let written = 0;
  const { createLogger, Transport } = await loadWinston();
  const transport = new Transport({
    log(info, done) {
      file.append(info[MESSAGE] ?? '');
      written += 1;
      done();
    },
  });
  const logger = createLogger({ format: unchanged(), transports: [transport] });
  return (line, level) => {
    const before = written;
    logger.write({ level, [LEVEL]: level, [MESSAGE]: line });
    if (written !== before + 1) throw new Error('the logger kept the line back');
  };
}

/**
 * The user's transports, beside the file, each with a logger of its own. They are the user's to close; one that
 * breaks or hangs breaks nothing.
 */
export class UserTransports {
  #loggers: Promise<readonly winston.Logger[]> | undefined;
  #told = false;

  constructor(
    private readonly transports: readonly winston.transport[],
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A writer for all of them; none where there are none. */
  async open(): Promise<readonly AuditWriter[]> {
    if (this.transports.length === 0) return [];
    this.#loggers ??= this.#create();
    const loggers = await this.#loggers;
    return loggers.map((logger) => (line, level) => this.#write(logger, line, level));
  }

  /** Waits until they have taken everything, but not for ever. */
  async drain(): Promise<void> {
    const loggers = (await this.#loggers) ?? [];
    const deadline = Date.now() + LONGEST_DRAIN_MS;
    while (loggers.some(isBusy) && Date.now() < deadline) await delay(5);
  }

  async #create(): Promise<readonly winston.Logger[]> {
    const { createLogger } = await loadWinston();
    return this.transports.map((transport) =>
      createLogger({ format: unchanged(), transports: [transport] }).on('error', (error: unknown) =>
        this.#tell(error),
      ),
    );
  }

  #write(logger: winston.Logger, line: string, level: string): void {
    try {
      logger.write(toInfo(line, level));
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.onError(error);
  }
}

interface Winston {
  readonly createLogger: typeof winston.createLogger;
  /** Its types hide that this is a class. */
  readonly Transport: new (
    options: TransportOptions,
  ) => winston.transport;
}

interface TransportOptions {
  readonly log: (info: Record<symbol, string>, done: () => void) => void;
}

async function loadWinston(): Promise<Winston> {
  const loaded = await import('winston');
  return loaded.default as unknown as Winston;
}

/** The line is ready: a format would sort its keys and lose what makes it safe to print. */
function unchanged(): winston.Logform.Format {
  return { transform: (info) => info };
}

/** The event's fields for transports that have a format of their own, the ready line for those that have none. */
function toInfo(line: string, level: string): object {
  const fields = JSON.parse(line) as { readonly event: string };
  return { ...fields, level, message: fields.event, [LEVEL]: level, [MESSAGE]: line };
}

function isBusy(logger: winston.Logger): boolean {
  const streams = [logger, ...logger.transports];
  return logger.readableLength > 0 || streams.some((stream) => stream.writableLength > 0);
}
