import type { Permissions } from '../../../domain/restrictions.js';
import type { SandboxPolicy } from '../../../ports/sandbox.js';
import { childEnvironment, variableNames } from '../child-environment.js';
import { proxyVariables } from '../proxy/proxy-variables.js';

/** The variables of a confined process but for its home, which differs from call to call. */
export function sandboxEnvironment(
  policy: SandboxPolicy,
  searchPath: string,
): Readonly<Record<string, string>> {
  const { HOME: _home, TMPDIR: _scratch, ...rest } = childEnvironment(policy, { home: '', searchPath });
  const own = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(own), ...hostVariables(policy.permissions) };
}

/** The names of these variables, the home included. */
export function sandboxVariableNames(permissions: Permissions): readonly string[] {
  return [...new Set([...variableNames(permissions), ...Object.keys(hostVariables(permissions))])].sort();
}

function hostVariables(permissions: Permissions): Readonly<Record<string, string>> {
  return permissions.hosts.length === 0 ? {} : proxyVariables(permissions);
}
