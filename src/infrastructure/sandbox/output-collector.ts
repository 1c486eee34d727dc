import type { Truncation } from '../../domain/tool-result.js';
import { ByteTail } from './byte-tail.js';
import { OutputSpill } from './output-spill.js';
import { orphanedBytes, unfinishedBytes } from './utf8-edges.js';

export interface CollectedOutput {
  readonly output: string;
  readonly truncated?: Truncation;
}

// No model reads more, and no buffer could be had for some limits that can be written.
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** What a process writes, in memory of fixed size: the first half of the limit and the last half, in whole characters. */
export class OutputCollector {
  readonly #head: Buffer;
  readonly #tail: ByteTail;
  #unfinished = NOTHING;
  #headLength = 0;
  #total = 0;
  #spill: OutputSpill | undefined;

  private readonly maxBytes: number;

  constructor(
    maxBytes: number,
    private readonly outputFile?: string,
  ) {
    this.maxBytes = Math.min(maxBytes, MAX_KEPT_BYTES);
    this.#head = Buffer.allocUnsafe(Math.ceil(this.maxBytes / 2));
    this.#tail = new ByteTail(Math.floor(this.maxBytes / 2));
  }

  push(chunk: Buffer): void {
    const bytes = this.#unfinished.length > 0 ? Buffer.concat([this.#unfinished, chunk]) : chunk;
    const whole = bytes.length - unfinishedBytes(bytes);
    this.#unfinished = whole < bytes.length ? Buffer.from(bytes.subarray(whole)) : NOTHING;
    this.#append(bytes.subarray(0, whole));
  }

  /** What is kept; the cut is said where it is. Ends the collecting. */
  finish(): CollectedOutput {
    this.#append(this.#unfinished);
    this.#unfinished = NOTHING;
    this.#spill?.close();
    const head = this.#head.subarray(0, this.#headLength);
    const tail = this.#tail.read();
    if (this.#total <= this.maxBytes) return { output: Buffer.concat([head, tail]).toString('utf8') };
    return this.#cut(
      head.subarray(0, head.length - unfinishedBytes(head)),
      tail.subarray(orphanedBytes(tail)),
    );
  }

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#keepWhole(bytes);
    this.#total += bytes.length;
    const first = Math.min(bytes.length, this.#head.length - this.#headLength);
    bytes.copy(this.#head, this.#headLength, 0, first);
    this.#headLength += first;
    if (first < bytes.length) this.#tail.push(bytes.subarray(first));
  }

  /** Until the limit is passed, head and tail hold everything: then the file gets that, and what comes. */
  #keepWhole(bytes: Buffer): void {
    if (this.outputFile === undefined || this.#total + bytes.length <= this.maxBytes) return;
    if (!this.#spill) {
      this.#spill = new OutputSpill(this.outputFile);
      this.#spill.write(this.#head.subarray(0, this.#headLength));
      this.#spill.write(this.#tail.read());
    }
    this.#spill.write(bytes);
  }

  #cut(head: Buffer, tail: Buffer): CollectedOutput {
    const keptBytes = head.length + tail.length;
    const problem = this.#spill?.problem;
    const mark = `[… ${this.#total - keptBytes} of ${this.#total} bytes cut${problem ? `; ${problem}` : ''} …]`;
    const file = this.#spill?.exists ? { file: this.#spill.file } : {};
    return {
      output: `${head.toString('utf8')}\n${mark}\n${tail.toString('utf8')}`,
      truncated: { totalBytes: this.#total, keptBytes, ...file },
    };
  }
}
