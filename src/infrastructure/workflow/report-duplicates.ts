import type { YamlValue } from './yaml-value.js';

/** Reports every name that another value of the list has already. */
export function reportDuplicates(names: readonly YamlValue[]): void {
  const seen = new Map<string, YamlValue>();
  for (const value of names) {
    const name = value.text();
    if (name === undefined) continue;
    const first = seen.get(name);
    if (!first) {
      seen.set(name, value);
      continue;
    }
    const message = `${value.path}: \`${name}\` is there already, as ${first.path}`;
    value.report({ code: 'WORKFLOW.VALIDATION.DUPLICATE', message });
  }
}
