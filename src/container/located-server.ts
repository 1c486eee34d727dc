import { delimiter, isAbsolute, join } from 'node:path';
import type { McpServerDeclaration } from '../domain/workflow.js';
import { type Binary, BinaryResolver } from '../infrastructure/sandbox/binary-resolver.js';
import { isInside, realPathOf } from '../infrastructure/sandbox/path-containment.js';
import type { ToolSourceRequest } from '../ports/tool-source.js';

type Place = Pick<ToolSourceRequest, 'workspace' | 'env'>;

/**
 * A server whose program is found where its writer's own shell would find it: `npm install --global` puts programs
 * into folders of one's own. Never in the workspace, where an agent could have put it.
 */
export function locatedServer(server: McpServerDeclaration, place: Place): McpServerDeclaration {
  const { transport } = server;
  if (transport.type !== 'stdio') return server;
  const found = programOf(transport.command, place);
  if (!found || found.isSystem) return server;
  const { path, realPath } = found.binary;
  // A script looks for what it imports beside its own file, not beside a link to it.
  const command = packagesOf(realPath) === undefined ? path : realPath;
  return { ...server, transport: { ...transport, command } };
}

/** The folder of packages that a script is installed in, with all that it imports. */
export function packagesOf(path: string): string | undefined {
  return /^(\/(?:.*?\/)?node_modules)\//.exec(path)?.[1];
}

function programOf(
  command: string,
  { workspace, env = {} }: Place,
): { readonly binary: Binary; readonly isSystem: boolean } | undefined {
  const resolver = new BinaryResolver([workspace]);
  const known = resolver.resolve(command, workspace);
  if (known) return { binary: known, isSystem: resolver.isSystem(known) };
  if (command.includes('/')) return undefined;
  const root = realPathOf(workspace);
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const trusted = folders.filter((folder) => !isInside(realPathOf(folder), root));
  for (const folder of trusted) {
    const binary = resolver.resolve(join(folder, command), workspace);
    if (binary) return { binary, isSystem: false };
  }
  return undefined;
}
