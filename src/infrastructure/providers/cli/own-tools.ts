import type { JsonObject } from '../../../domain/json.js';
import type { CliEvent } from './cli-driver.js';

interface AskedFor {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Tools that are not ours, from when they are asked for until it is known what came of that. */
export class OwnTools {
  readonly #asked = new Map<string, AskedFor>();

  asked(id: string, tool: string, args: JsonObject): void {
    this.#asked.set(id, { tool, arguments: args });
  }

  /**
   * Only one that was plainly refused, or does not exist (models make up names), has done nothing: a command that
   * failed may have done much before.
   */
  ended(id: string, isRefused: boolean): readonly CliEvent[] {
    const own = this.#asked.get(id);
    if (!own) return [];
    this.#asked.delete(id);
    if (!isRefused) return [used(own)];
    return [{ kind: 'warning', message: `tried a tool that is not ours, and was refused: ${own.tool}` }];
  }

  /** Those that were begun, and never seen to end. */
  left(): readonly CliEvent[] {
    const left = [...this.#asked.values()];
    this.#asked.clear();
    return left.map(used);
  }
}

function used(own: AskedFor): CliEvent {
  return { kind: 'own-tool', ...own };
}
