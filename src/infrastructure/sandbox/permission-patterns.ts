import type { Permissions } from '../../domain/restrictions.js';
import { compilePatterns, type PathPattern } from './path-patterns.js';

/** A tool's lists of paths, compiled: what it may read and write, and what it may not whatever those say. */
export type PermissionPatterns = Readonly<
  Record<'read' | 'write' | 'deny' | 'protect', readonly PathPattern[]>
>;

/** `!pattern` in a list of what is allowed means the same as listing it under deny. */
export async function compilePermissions(
  permissions: Permissions,
  workspace: string,
): Promise<PermissionPatterns> {
  const allow = (sources: readonly string[]) =>
    compilePatterns(
      sources.filter((source) => !isNegated(source)),
      { workspace, purpose: 'allow' },
    );
  const forbid = (sources: readonly string[]) => compilePatterns(sources, { workspace, purpose: 'forbid' });
  const negated = [...permissions.read, ...permissions.write].filter(isNegated);
  const denied = [...permissions.deny, ...negated.map((source) => source.slice(1))];
  const [read, write, deny, protect] = await Promise.all([
    allow(permissions.read),
    allow(permissions.write),
    forbid([...new Set(denied)]),
    forbid(permissions.protect),
  ]);
  return { read, write, deny, protect };
}

function isNegated(source: string): boolean {
  return source.startsWith('!');
}
