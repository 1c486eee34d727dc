import type { Permissions } from '../domain/restrictions.js';
import { escapeGlob } from '../domain/rules/glob-text.js';
import type { McpServerDeclaration } from '../domain/workflow.js';
import { serverPermissions } from '../infrastructure/tools/entry-permissions.js';
import type { ToolSourceRequest } from '../ports/tool-source.js';
import { locatedServer, packagesOf } from './located-server.js';

/** What is missing is not allowed: a server starts its own command, and has nothing else unless it is listed. */
export function serverPermissionsOf(server: McpServerDeclaration, request: ToolSourceRequest): Permissions {
  const { transport, restrictions } = locatedServer(server, request);
  const command = transport.type === 'stdio' ? [transport.command] : [];
  const permissions = serverPermissions(restrictions, command, request);
  const packages = command.flatMap((path) => packagesOf(path) ?? []);
  if (packages.length === 0) return permissions;
  return { ...permissions, read: [...permissions.read, ...packages.map((one) => `${escapeGlob(one)}/**`)] };
}
