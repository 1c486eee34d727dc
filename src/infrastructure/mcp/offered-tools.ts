import type { McpTool } from './sdk.js';
import { pinOf } from './tool-pins.js';

/** What has become of a tool since it was offered; undefined while it is as it was. */
export type Fate = 'changed' | 'gone' | undefined;

/** The tools of a server as they were offered, and what has become of them. What has changed stays held back, also if it changes back. */
export class OfferedTools {
  readonly #pins: ReadonlyMap<string, string>;
  readonly #changed = new Set<string>();
  readonly #watchers = new Set<() => void>();
  #there: ReadonlySet<string>;

  constructor(tools: readonly McpTool[]) {
    this.#pins = new Map(tools.map((tool) => [tool.name, pinOf(tool)]));
    this.#there = new Set(this.#pins.keys());
  }

  fateOf(name: string): Fate {
    if (!this.#there.has(name)) return 'gone';
    return this.#changed.has(name) ? 'changed' : undefined;
  }

  /** Told, until the returned function is called, when something has become of a tool. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** New tools are nobody's business: they were not offered, and nobody has approved them. */
  compareWith(listed: readonly McpTool[]): void {
    const before = this.#fates();
    const now = new Map(listed.map((tool) => [tool.name, pinOf(tool)]));
    this.#there = new Set(now.keys());
    for (const [name, pin] of this.#pins) {
      if (now.has(name) && now.get(name) !== pin) this.#changed.add(name);
    }
    if (this.#fates() === before) return;
    for (const watcher of this.#watchers) watcher();
  }

  #fates(): string {
    return [...this.#pins.keys()].map((name) => this.fateOf(name) ?? 'same').join();
  }
}
