import { DEFAULT_LIMITS, type Permissions } from '../../../domain/restrictions.js';
import { referencesOf } from '../../../domain/template.js';
import type { ToolDeclaration } from '../../../domain/workflow.js';

/** What a tool may do as its file says it, the defaults filled in and no template: there are no values yet. */
export function permissionsAsWritten(
  { kind, restrictions }: ToolDeclaration,
  workspace: string,
): Permissions {
  const byDefault = kind.type === 'command' ? commandPaths(kind.command, workspace) : [];
  const { paths = { read: byDefault, write: byDefault, deny: [] } } = restrictions;
  const { memoryBytes, pids, maxOutputBytes } = restrictions;
  return {
    ...paths,
    protect: restrictions.protect ?? [],
    commands: restrictions.commands ?? (kind.type === 'command' ? 'system' : []),
    hosts: restrictions.hosts ?? [],
    privateHosts: restrictions.privateHosts ?? [],
    env: restrictions.env ?? [],
    strict: restrictions.strict ?? false,
    limits: {
      memoryBytes: memoryBytes ?? DEFAULT_LIMITS.memoryBytes,
      pids: pids ?? DEFAULT_LIMITS.pids,
      maxOutputBytes: maxOutputBytes ?? DEFAULT_LIMITS.maxOutputBytes,
    },
  };
}

/** A command without `paths` has the workspace, and the paths among the inputs that its template names. */
function commandPaths(command: string, workspace: string): string[] {
  const inputs = referencesOf(command).filter(({ path }) => path[0] === 'inputs');
  const names = new Set(inputs.map(({ path }) => `{{${path.join('.')}}}/**`));
  return [`${workspace}/**`, ...names];
}
