import { DEFAULT_LIMITS, type Permissions, type Restrictions } from '../../../domain/restrictions.js';
import { referencesOf } from '../../../domain/template.js';
import type { McpServerDeclaration, ToolDeclaration } from '../../../domain/workflow.js';

/** What a tool may do as its file says it, the defaults filled in and no template: there are no values yet. */
export function toolPermissionsAsWritten(
  { kind, restrictions }: ToolDeclaration,
  workspace: string,
): Permissions {
  const implied = kind.type === 'command' ? commandPaths(kind.command, workspace) : [];
  const commands = kind.type === 'command' ? 'system' : [];
  return asWritten(restrictions, { read: implied, write: implied, commands });
}

/** The same of an MCP server: one that is started runs its own command, and has nothing else unless it is listed. */
export function serverPermissionsAsWritten({ transport, restrictions }: McpServerDeclaration): Permissions {
  const commands = transport.type === 'stdio' ? [transport.command] : [];
  return asWritten(restrictions, { read: [], write: [], commands });
}

function asWritten(
  restrictions: Restrictions,
  implied: Pick<Permissions, 'read' | 'write' | 'commands'>,
): Permissions {
  const { paths = { read: implied.read, write: implied.write, deny: [] } } = restrictions;
  const { memoryBytes, pids, maxOutputBytes } = restrictions;
  return {
    ...paths,
    protect: restrictions.protect ?? [],
    commands: restrictions.commands ?? implied.commands,
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
