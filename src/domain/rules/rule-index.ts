import type { PlannedCommand } from '../plan.js';
import type { CallFacts, PathNames } from './call-facts.js';
import type { CompiledRule } from './compiled-rule.js';
import { programName } from './hidden-commands.js';
import { hostKey, hostKeys } from './host-patterns.js';

/** Finds the few rules that could speak for a call, by what they speak of. */
export class RuleIndex {
  readonly #byProgram = new Map<string, CompiledRule[]>();
  readonly #byFolder = new Map<string, CompiledRule[]>();
  readonly #byHost = new Map<string, CompiledRule[]>();
  /** Those that hold back, by what a plan may leave untold. */
  readonly #ofCommands: CompiledRule[] = [];
  readonly #ofPlaces: CompiledRule[] = [];
  /** Those that name neither a command nor a place. */
  readonly others: CompiledRule[] = [];

  add(compiled: CompiledRule): void {
    const { command, paths, hosts } = compiled.when;
    const isHoldingBack = compiled.use === 'loose';
    if (isHoldingBack && command) this.#ofCommands.push(compiled);
    if (isHoldingBack && !command && (paths || hosts)) this.#ofPlaces.push(compiled);
    if (command) put(this.#byProgram, [programName({ path: command[0] ?? '' })], compiled);
    else if (paths)
      put(
        this.#byFolder,
        compiled.globs?.map(({ literal }) => folderKey(literal)),
        compiled,
      );
    else if (hosts) put(this.#byHost, hosts.map(hostKey), compiled);
    else this.others.push(compiled);
  }

  ofProgram(command: PlannedCommand): readonly CompiledRule[] {
    return this.#byProgram.get(programName(command)) ?? [];
  }

  /** All that may speak; each may come more than once. */
  *candidates(facts: CallFacts): Iterable<CompiledRule> {
    yield* this.others;
    yield* this.#untold(facts);
    for (const command of facts.commands ?? []) yield* this.ofProgram(command);
    for (const path of facts.paths ?? []) yield* this.#inFolders(path);
    if (facts.request) yield* this.#atHost(hostKeys(facts.request.target));
  }

  *#untold({ commands, unread, untold }: CallFacts): Iterable<CompiledRule> {
    if (unread !== undefined || (untold !== undefined && !commands)) yield* this.#ofCommands;
    if (untold !== undefined) yield* this.#ofPlaces;
  }

  *#inFolders({ absolute, relative = [] }: PathNames): Iterable<CompiledRule> {
    for (const names of [absolute, relative]) {
      for (let depth = 0; depth <= names.length; depth += 1) {
        yield* this.#byFolder.get(folderKey(names.slice(0, depth))) ?? [];
      }
    }
  }

  *#atHost(keys: readonly string[]): Iterable<CompiledRule> {
    for (const key of keys) yield* this.#byHost.get(key) ?? [];
  }
}

function put(
  map: Map<string, CompiledRule[]>,
  keys: readonly string[] | undefined,
  compiled: CompiledRule,
): void {
  for (const key of new Set(keys)) {
    const list = map.get(key);
    if (list) list.push(compiled);
    else map.set(key, [compiled]);
  }
}

/** In lower case, since some rules ignore it; whether one does is looked at afterwards. */
function folderKey(names: readonly string[]): string {
  return names.join('/').normalize('NFC').toLowerCase();
}
