import { ToolgateError } from '../domain/errors.js';
import type { ToolEntry } from '../ports/tool-executor.js';

/** The tools of a step by their names, which must differ. */
export function entriesByName(tools: readonly ToolEntry[]): ReadonlyMap<string, ToolEntry> {
  const map = new Map<string, ToolEntry>();
  for (const entry of tools) {
    const { name } = entry.handler.tool;
    if (map.has(name))
      throw new ToolgateError('WORKFLOW.VALIDATION.DUPLICATE', `Two tools are named "${name}"`);
    map.set(name, entry);
  }
  return map;
}
