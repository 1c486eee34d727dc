import type { Permissions } from '../domain/restrictions.js';
import type { McpServerDeclaration } from '../domain/workflow.js';
import { serverPermissions } from '../infrastructure/tools/entry-permissions.js';
import type { ToolSourceRequest } from '../ports/tool-source.js';

/** What is missing is not allowed: a server starts its own command, and has nothing else unless it is listed. */
export function serverPermissionsOf(server: McpServerDeclaration, request: ToolSourceRequest): Permissions {
  const { transport, restrictions } = server;
  return serverPermissions(restrictions, transport.type === 'stdio' ? [transport.command] : [], request);
}
