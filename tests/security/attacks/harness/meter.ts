import type { JsonObject } from '../../../../src/domain/json.js';
import { memoryBelow } from './processes.js';

const MB = 1024 * 1024;

/** Measures time always, and memory where a case asks for it: looking at all processes takes its own time. */
export class Meter {
  readonly #began = performance.now();
  readonly #rssBefore = process.memoryUsage.rss();
  #grownMb = 0;
  #treeMb = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly folder: string,
    private readonly looksAtTree: boolean,
  ) {}

  static start(folder: string, assert: JsonObject): Meter {
    const meter = new Meter(folder, 'total_rss_mb_max' in assert);
    if ('max_rss_mb' in assert || meter.looksAtTree) meter.#timer = setInterval(() => meter.#look(), 20);
    return meter;
  }

  stop(): { readonly ms: number; readonly grownMb: number; readonly treeMb: number } {
    clearInterval(this.#timer);
    return { ms: performance.now() - this.#began, grownMb: this.#grownMb, treeMb: this.#treeMb };
  }

  #look(): void {
    this.#grownMb = Math.max(this.#grownMb, (process.memoryUsage.rss() - this.#rssBefore) / MB);
    if (this.looksAtTree) this.#treeMb = Math.max(this.#treeMb, memoryBelow(this.folder));
  }
}
