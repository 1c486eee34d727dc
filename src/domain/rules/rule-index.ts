import type { PlannedCommand } from '../plan.js';
import { ArgumentIndex } from './argument-index.js';
import type { CallFacts, PathNames } from './call-facts.js';
import type { CompiledRule } from './compiled-rule.js';
import { hostKeys } from './host-patterns.js';
import { PathIndex } from './path-index.js';
import { readingsOf } from './program-names.js';

/** Finds the few rules that could speak for a call, by what they speak of. */
export class RuleIndex {
  readonly #byProgram = new Map<string, CompiledRule[]>();
  /** From the workspace, and from the root. */
  readonly #byFolder = new PathIndex();
  readonly #byRoot = new PathIndex();
  readonly #byHost = new Map<string, CompiledRule[]>();
  /** Those that hold back, by what a plan may leave untold. */
  readonly #ofCommands: CompiledRule[] = [];
  readonly #ofPlaces: CompiledRule[] = [];
  readonly #others = new ArgumentIndex();

  add(compiled: CompiledRule): void {
    const { command, paths, hosts } = compiled.when;
    const isHoldingBack = compiled.use === 'loose';
    if (isHoldingBack && command) this.#ofCommands.push(compiled);
    if (isHoldingBack && !command && (paths || hosts)) this.#ofPlaces.push(compiled);
    if (command) put(this.#byProgram, programKeys(compiled), compiled);
    else if (paths) this.#addPaths(compiled);
    else if (hosts) put(this.#byHost, requestKeys(compiled), compiled);
    else this.#others.add(compiled);
  }

  #addPaths(compiled: CompiledRule): void {
    const { globs = [] } = compiled;
    this.#byFolder.add(
      globs.filter((glob) => !glob.isAbsolute),
      compiled,
    );
    this.#byRoot.add(
      globs.filter((glob) => glob.isAbsolute),
      compiled,
    );
  }

  /** Those that name neither a command nor a place, as far as their arguments may fit. */
  others({ argumentForms }: CallFacts): readonly CompiledRule[] {
    return this.#others.candidates(argumentForms);
  }

  /** Those that could mean a command: of its program, and of any word after it. */
  *ofCommand(command: PlannedCommand): Iterable<readonly CompiledRule[]> {
    for (const { name, args } of readingsOf(command)) {
      for (const word of ['', ...new Set(args)]) {
        const rules = this.#byProgram.get(`${name}\0${word}`);
        if (rules) yield rules;
      }
    }
  }

  /** All others that may speak for what a plan tells; each may come more than once. */
  *candidates(facts: CallFacts): Iterable<readonly CompiledRule[]> {
    for (const command of facts.commands ?? []) yield* this.ofCommand(command);
    for (const path of facts.paths ?? []) yield* this.#inFolders(path);
    if (facts.request) yield* this.#ofRequest(facts.request);
  }

  /** Those that hold back and may speak for what a plan does not tell, in order. */
  *untold({ commands, unread, untold }: CallFacts): Iterable<readonly CompiledRule[]> {
    if (unread !== undefined || (untold !== undefined && !commands)) yield this.#ofCommands;
    if (untold !== undefined) yield this.#ofPlaces;
  }

  *#inFolders({ folded: { absolute, relative } }: PathNames): Iterable<readonly CompiledRule[]> {
    yield* this.#byRoot.candidates(absolute);
    if (relative) yield* this.#byFolder.candidates(relative);
  }

  *#ofRequest({ target, method }: NonNullable<CallFacts['request']>): Iterable<readonly CompiledRule[]> {
    for (const key of hostKeys(target)) {
      yield this.#byHost.get(`${key}\0`) ?? [];
      yield this.#byHost.get(`${key}\0${method}`) ?? [];
    }
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

/** By its first word after the program that is no option: that must be there, wherever it stands. */
function programKeys({ words }: CompiledRule): readonly string[] {
  return words ? [`${words.name}\0${words.operands[0] ?? ''}`] : [];
}

function requestKeys({ hosts = [], methods }: CompiledRule): readonly string[] {
  return hosts.flatMap(({ pattern }) => [...(methods ?? [''])].map((method) => `${pattern}\0${method}`));
}
