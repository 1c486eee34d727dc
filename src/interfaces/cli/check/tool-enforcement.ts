import { type Enforcement, NOTHING_ENFORCED } from '../../../domain/enforcement.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { ToolDeclaration } from '../../../domain/workflow.js';
import type { SandboxCapabilities } from '../../../ports/sandbox.js';

/** Who would hold a tool's restrictions on this machine, by what kind of tool it is. */
export function enforcementFor(
  { kind }: ToolDeclaration,
  permissions: Permissions,
  { enforcement }: SandboxCapabilities,
): Enforcement {
  if (kind.type === 'handler') return NOTHING_ENFORCED;
  if (kind.type === 'command' || kind.builtin === 'shell') {
    return permissions.commands === 'any' ? { ...enforcement, exec: 'none' } : enforcement;
  }
  const held = { ...NOTHING_ENFORCED, backend: 'in-process' };
  if (kind.builtin === 'http_request') return { ...held, network: 'in-process' };
  return { ...held, fsRead: 'in-process', fsWrite: 'in-process' };
}
