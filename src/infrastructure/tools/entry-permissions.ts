import { resolve } from 'node:path';
import type { Permissions } from '../../domain/restrictions.js';
import { escapeGlob } from '../../domain/rules/glob-text.js';
import type { ToolDeclaration } from '../../domain/workflow.js';
import type { ToolSourceRequest } from '../../ports/tool-source.js';
import type { PatternScope } from './path-pattern.js';
import { resolvePermissions } from './resolve-permissions.js';

type Scope = PatternScope & Required<Pick<ToolSourceRequest, 'protect' | 'hide'>>;

/** What a tool may do in a run: what its declaration says, less what no tool of the run may touch. */
export function entryPermissions(
  declaration: Pick<ToolDeclaration, 'kind' | 'restrictions'>,
  scope: Scope,
  report: (problem: unknown) => void,
): Permissions {
  const permissions = resolvePermissions(declaration, scope, report);
  const protect = [...permissions.protect, ...scope.protect.flatMap(wholeOf)];
  const deny = [...permissions.deny, ...scope.hide.flatMap(wholeOf)];
  return { ...permissions, protect, deny };
}

/** A server may start its own command, and has what its restrictions give it beside that. */
export function serverPermissions(
  restrictions: ToolDeclaration['restrictions'],
  commands: readonly string[],
  { workspace, inputs = {}, env = {}, protect = [], hide = [] }: ToolSourceRequest,
): Permissions {
  const scope = { workspace, inputs, env, protect, hide };
  const declared = { kind: { type: 'handler' as const }, restrictions: { commands, ...restrictions } };
  return entryPermissions(declared, scope, (problem) => {
    throw problem;
  });
}

/** A file or folder and all that is in it, as patterns. */
function wholeOf(path: string): readonly string[] {
  const literal = escapeGlob(resolve(path));
  return [literal, `${literal}/**`];
}
