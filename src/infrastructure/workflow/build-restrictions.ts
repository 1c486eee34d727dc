import type { PathRules, Restrictions } from '../../domain/restrictions.js';
import type { ToolKind } from '../../domain/workflow.js';
import { sizeOf } from './quantity.js';
import { withoutMissing } from './without-missing.js';
import type { YamlValue } from './yaml-value.js';

/** What a `restrictions:` block says, as written: what is missing stays missing. */
export function buildRestrictions(block: YamlValue, kind: ToolKind): Restrictions {
  return withoutMissing({
    paths: buildPaths(block.get('paths'), kind),
    commands: block.get('commands').raw === 'any' ? ('any' as const) : block.get('commands').texts(),
    hosts: block.get('hosts').texts(),
    privateHosts: block.get('private_hosts').texts(),
    env: block.get('env').texts(),
    protect: block.get('protect').texts(),
    strict: block.get('strict').flag(),
    memoryBytes: sizeOf(block.get('memory')),
    pids: block.get('pids').number(),
    maxOutputBytes: sizeOf(block.get('max_output')),
  });
}

/** A plain list lets read_file read; for every other tool it means reading and writing. */
function buildPaths(paths: YamlValue, kind: ToolKind): PathRules | undefined {
  if (!paths.isPresent) return undefined;
  const list = paths.texts();
  if (!list) {
    const rule = (name: string) => paths.get(name).texts() ?? [];
    return { read: rule('read'), write: rule('write'), deny: rule('deny') };
  }
  const readsOnly = kind.type === 'builtin' && kind.builtin === 'read_file';
  return { read: list, write: readsOnly ? [] : list, deny: [] };
}
