import type { JsonObject } from '../json.js';
import type { CompiledRule } from './compiled-rule.js';
import { failsFor, type Plain } from './quick-reject.js';

/** Rules about arguments alone: those that name the very values of one are found by these. */
export class ArgumentIndex {
  readonly #byValue = new Map<string, Map<Plain, CompiledRule[]>>();
  readonly #rest: CompiledRule[] = [];

  add(compiled: CompiledRule): void {
    const bound = compiled.bounds?.find(({ values }) => values);
    if (!bound?.values) {
      this.#rest.push(compiled);
      return;
    }
    const ofName = this.#byValue.get(bound.name) ?? new Map<Plain, CompiledRule[]>();
    this.#byValue.set(bound.name, ofName);
    for (const value of bound.values) ofName.set(value, [...(ofName.get(value) ?? []), compiled]);
  }

  /** All that may speak for arguments in one of their forms; each may come more than once. */
  candidates(forms: readonly JsonObject[]): readonly CompiledRule[] {
    const found = this.#rest.filter(({ bounds }) => !bounds || forms.some((form) => !failsFor(bounds, form)));
    for (const [name, ofName] of this.#byValue) {
      for (const form of forms) found.push(...(ofName.get(form[name] as Plain) ?? []));
    }
    return found;
  }
}
