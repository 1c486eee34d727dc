import { type Enforcement, NOTHING_ENFORCED } from '../../../domain/enforcement.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { ToolDeclaration } from '../../../domain/workflow.js';
import type { SandboxCapabilities } from '../../../ports/sandbox.js';

/** Who would hold a tool's restrictions on this machine, by what kind of tool it is. */
export function enforcementFor(
  { kind }: ToolDeclaration,
  permissions: Permissions,
  { enforcement, kernel }: SandboxCapabilities,
): Enforcement {
  if (kind.type === 'handler') return NOTHING_ENFORCED;
  if (kind.type === 'command' || kind.builtin === 'shell') {
    if (permissions.strict && kernel) return { ...enforcement, exec: 'kernel' };
    const isChecked =
      typeof permissions.commands !== 'string' || (kind.type === 'command' && isPlain(kind.command));
    return isChecked && permissions.commands !== 'any' ? enforcement : { ...enforcement, exec: 'none' };
  }
  const held = { ...NOTHING_ENFORCED, backend: 'in-process' };
  if (kind.builtin === 'http_request') return { ...held, network: 'in-process' };
  return { ...held, fsRead: 'in-process', fsWrite: 'in-process' };
}

/** Words alone run as they stand; anything else goes to a shell, which runs what it is told. */
function isPlain(command: string): boolean {
  return /^[\w\s./:=@%+,'"-]*$/.test(command.replace(/\{\{[^{}]*\}\}/g, 'x'));
}
