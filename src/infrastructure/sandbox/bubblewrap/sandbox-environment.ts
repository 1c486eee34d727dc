import type { SandboxPolicy } from '../../../ports/sandbox.js';
import { childEnvironment } from '../child-environment.js';

/** The variables of a confined process but for its home, which differs from call to call. */
export function sandboxEnvironment(
  policy: SandboxPolicy,
  searchPath: string,
): Readonly<Record<string, string>> {
  const { HOME: _home, TMPDIR: _scratch, ...rest } = childEnvironment(policy, { home: '', searchPath });
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
