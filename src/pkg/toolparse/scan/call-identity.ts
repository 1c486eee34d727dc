import type { ParsedCall } from '../types.js';

/** Models put a namespace before a tool's name (`functions.get_weather`); it goes when only the rest is declared. */
export function resolveName(name: string, tools: ReadonlyMap<string, unknown>): string {
  if (tools.has(name)) return name;
  const bare = name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('/')) + 1);
  return tools.has(bare) ? bare : name;
}

/** Whether these are the calls that stand right before them, in another format. */
export function isEcho(calls: readonly ParsedCall[], before: readonly ParsedCall[]): boolean {
  if (before.length === 0 || before.length !== calls.length) return false;
  return calls.every(({ name, format, arguments: args }, index) => {
    const other = before[index];
    const isSame = other?.name === name && JSON.stringify(other.arguments) === JSON.stringify(args);
    return isSame && other.format !== format;
  });
}

/** Gives each call an id that no other has. */
export class CallIds {
  readonly #taken = new Set<string>();

  /** The wanted id, unless it was used before; else one by position. */
  take(wanted: string | undefined): string {
    const positional = `call_${this.#taken.size + 1}`;
    let id = wanted === undefined || this.#taken.has(wanted) ? positional : wanted;
    while (this.#taken.has(id)) id += '_';
    this.#taken.add(id);
    return id;
  }

  giveBack(calls: readonly ParsedCall[]): void {
    for (const { id } of calls) this.#taken.delete(id);
  }
}
