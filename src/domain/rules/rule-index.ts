import type { PlannedCommand } from '../plan.js';
import type { CallFacts, PathNames } from './call-facts.js';
import type { CompiledRule } from './compiled-rule.js';
import { foldName } from './glob.js';
import { hostKeys } from './host-patterns.js';
import { readingsOf } from './program-names.js';

/** Finds the few rules that could speak for a call, by what they speak of. */
export class RuleIndex {
  readonly #byProgram = new Map<string, CompiledRule[]>();
  /** By the plain names that their patterns begin with: from the workspace, and from the root. */
  readonly #byFolder = new Map<string, CompiledRule[]>();
  readonly #byRoot = new Map<string, CompiledRule[]>();
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
    if (command) put(this.#byProgram, programKeys(compiled), compiled);
    else if (paths) this.#addPaths(compiled);
    else if (hosts) put(this.#byHost, requestKeys(compiled), compiled);
    else this.others.push(compiled);
  }

  #addPaths(compiled: CompiledRule): void {
    const keys = (isAbsolute: boolean) =>
      compiled.globs?.flatMap((glob) => (glob.isAbsolute === isAbsolute ? [folderKey(glob.literal)] : []));
    put(this.#byFolder, keys(false), compiled);
    put(this.#byRoot, keys(true), compiled);
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

  /** All that may speak for what a plan tells; each may come more than once. */
  *candidates(facts: CallFacts): Iterable<readonly CompiledRule[]> {
    yield this.others;
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
    yield* lookUp(this.#byRoot, absolute);
    if (relative) yield* lookUp(this.#byFolder, relative);
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

/** Folded, since some rules are; whether one speaks is looked at afterwards. */
function folderKey(names: readonly string[]): string {
  return names.map((name) => `/${foldName(name)}`).join('');
}

function* lookUp(
  map: ReadonlyMap<string, CompiledRule[]>,
  names: readonly string[],
): Iterable<readonly CompiledRule[]> {
  if (map.size === 0) return;
  let key = '';
  yield map.get(key) ?? [];
  for (const name of names) {
    key += `/${name}`;
    yield map.get(key) ?? [];
  }
}
