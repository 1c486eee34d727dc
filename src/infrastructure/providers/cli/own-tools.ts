import type { JsonObject } from '../../../domain/json.js';
import type { CliEvent } from './cli-driver.js';

/** Tools that are not ours, from when they are asked for until it is known what came of that. */
export class OwnTools {
  readonly #asked = new Map<string, { readonly tool: string; readonly arguments: JsonObject }>();

  asked(id: string, tool: string, args: JsonObject): void {
    this.#asked.set(id, { tool, arguments: args });
  }

  /** One that failed was most likely refused, or does not exist: models make up names. */
  ended(id: string, isSuccess: boolean): readonly CliEvent[] {
    const own = this.#asked.get(id);
    if (!own) return [];
    this.#asked.delete(id);
    if (isSuccess) return [{ kind: 'own-tool', ...own }];
    return [{ kind: 'warning', message: `tried a tool that is not ours, and failed: ${own.tool}` }];
  }
}
