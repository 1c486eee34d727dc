import type { PathNames } from './call-facts.js';
import type { CompiledRule } from './compiled-rule.js';
import { foldName, type Glob, type Step } from './glob.js';

/** Rules about paths from one starting point, found by the plainest part of their patterns. */
export class PathIndex {
  /** By the plain names that a pattern begins with. */
  readonly #byFolder = new Map<string, CompiledRule[]>();
  /** By what one of the names on the way must be, begin with or end with. */
  readonly #byName = new Map<string, CompiledRule[]>();
  readonly #byStart = new Map<string, CompiledRule[]>();
  readonly #byEnd = new Map<string, CompiledRule[]>();
  readonly #startLengths = new Set<number>();
  readonly #endLengths = new Set<number>();

  add(globs: readonly Glob[], compiled: CompiledRule): void {
    for (const glob of globs) this.#addGlob(glob, compiled);
  }

  /** All that may speak for a path; each may come more than once. */
  *candidates(names: PathNames['absolute']): Iterable<readonly CompiledRule[]> {
    yield* this.#inFolders(names);
    for (const name of names) yield* this.#named(name);
  }

  /** Of all that a pattern says for certain, the longest tells most paths apart. */
  #addGlob({ literal, steps }: Glob, compiled: CompiledRule): void {
    const folder = folderKey(literal);
    const sure = steps.slice(literal.length).map(surePart);
    const best = sure.reduce((left, right) => (right.text.length > left.text.length ? right : left), NOTHING);
    if (best.text.length <= folder.length) put(this.#byFolder, folder, compiled);
    else if (best.kind === 'name') put(this.#byName, best.text, compiled);
    else if (best.kind === 'start') {
      this.#startLengths.add(best.text.length);
      put(this.#byStart, best.text, compiled);
    } else {
      this.#endLengths.add(best.text.length);
      put(this.#byEnd, best.text, compiled);
    }
  }

  *#inFolders(names: readonly string[]): Iterable<readonly CompiledRule[]> {
    if (this.#byFolder.size === 0) return;
    let key = '';
    yield this.#byFolder.get(key) ?? [];
    for (const name of names) {
      key += `/${name}`;
      yield this.#byFolder.get(key) ?? [];
    }
  }

  *#named(name: string): Iterable<readonly CompiledRule[]> {
    if (this.#byName.size > 0) yield this.#byName.get(name) ?? [];
    for (const length of this.#startLengths) yield this.#byStart.get(name.slice(0, length)) ?? [];
    for (const length of this.#endLengths) yield this.#byEnd.get(name.slice(-length)) ?? [];
  }
}

interface SurePart {
  readonly kind: 'name' | 'start' | 'end';
  readonly text: string;
}

const NOTHING: SurePart = { kind: 'name', text: '' };

/** Folded, since some rules are; whether one speaks is looked at afterwards. */
function surePart(step: Step): SurePart {
  if (step.kind === 'any-depth') return NOTHING;
  if (step.kind === 'name') return { kind: 'name', text: foldName(step.text) };
  const { prefix, suffix } = step;
  return suffix.length >= prefix.length
    ? { kind: 'end', text: foldName(suffix) }
    : { kind: 'start', text: foldName(prefix) };
}

function folderKey(names: readonly string[]): string {
  return names.map((name) => `/${foldName(name)}`).join('');
}

function put(map: Map<string, CompiledRule[]>, key: string, compiled: CompiledRule): void {
  const list = map.get(key);
  if (!list) map.set(key, [compiled]);
  // Several patterns of one rule may have the same key.
  else if (list.at(-1) !== compiled) list.push(compiled);
}
