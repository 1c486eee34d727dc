import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../domain/json.js';
import { LONGEST_LINE } from './audit-line.js';

/** Far more than the lines that any number of crashes could have torn. */
const MOST_TORN = 256;

/** The file of one trail: lines are only ever added, each by one write that is done when `append` returns. */
export class AuditFile {
  private constructor(
    readonly path: string,
    private readonly descriptor: number,
  ) {}

  /** Opens or makes it, for its owner only. No link, pipe or second name stands in for it. */
  static open(path: string): AuditFile {
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    // Windows has neither flag, and there the folder's own protection must do.
    const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const file = new AuditFile(path, openSync(path, O_RDWR | O_APPEND | O_CREAT | careful, 0o600));
    try {
      file.#checkOwn();
      file.#endTornLine();
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** The newest line that is whole and that `accept` knows; torn ones before it are passed over. */
  newest<T>(accept: (line: JsonObject) => T | undefined): T | undefined {
    const { size } = fstatSync(this.descriptor);
    const start = Math.max(0, size - MOST_TORN * LONGEST_LINE);
    const lines = this.#read(start, size - start)
      .toString('utf8')
      .split('\n');
    for (const line of lines.slice(-MOST_TORN).reverse()) {
      const accepted = acceptLine(line, accept);
      if (accepted !== undefined) return accepted;
    }
    if (start > 0 || lines.length > MOST_TORN)
      throw new Error(`its last ${MOST_TORN} lines are not of this run`);
    return undefined;
  }

  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.descriptor, bytes, written);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #checkOwn(): void {
    const stat = fstatSync(this.descriptor);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (stat.nlink !== 1) throw new Error('it has a second name (a hard link)');
    if ((stat.mode & 0o077) !== 0) fchmodSync(this.descriptor, 0o600);
  }

  /** What a crash tore stays as it is, on a line of its own. */
  #endTornLine(): void {
    const { size } = fstatSync(this.descriptor);
    if (size > 0 && this.#read(size - 1, 1)[0] !== 0x0a) this.append('');
  }

  #read(start: number, length: number): Buffer {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(this.descriptor, buffer, filled, length - filled, start + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }
}

function acceptLine<T>(line: string, accept: (line: JsonObject) => T | undefined): T | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isJsonObject(parsed) ? accept(parsed) : undefined;
  } catch {
    return undefined;
  }
}
