import { type Enforcement, NOTHING_ENFORCED } from '../../../domain/enforcement.js';
import type { Permissions } from '../../../domain/restrictions.js';
import type { McpServerDeclaration, Workflow } from '../../../domain/workflow.js';
import type { SandboxCapabilities } from '../../../ports/sandbox.js';
import type { ToolReport } from './check-report.js';
import { serverPermissionsAsWritten } from './written-permissions.js';

export interface ServerFacts {
  readonly workflow: Pick<Workflow, 'onUnavailable'>;
  readonly capabilities: SandboxCapabilities;
  /** Only where all inputs are known. */
  readonly permissions?: Permissions;
}

/** What the tools of an MCP server could do at most. It is not started for that: what they are is not known. */
export function serverReport(server: McpServerDeclaration, facts: ServerFacts): ToolReport {
  const { name, transport, approval, timeoutMs, tools } = server;
  const { workflow, capabilities } = facts;
  const isStarted = transport.type === 'stdio';
  const isHeld = !isStarted || capabilities.kernel;
  const permissions = reaching(transport, facts.permissions ?? serverPermissionsAsWritten(server));
  const isRefused = !isHeld && (workflow.onUnavailable !== 'warn' || permissions.strict);
  return {
    name,
    source: isStarted
      ? `MCP server: ${[transport.command, ...transport.args].join(' ')}`
      : `MCP server at ${transport.url}`,
    description: tools?.map((tool) => `${name}_${tool}`).join(', ') ?? 'all that it lists',
    approval,
    // A program that nobody holds may start any other.
    permissions: isHeld ? permissions : { ...permissions, commands: 'any' },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    startsProcess: isStarted,
    enforcement: enforcementOf(isStarted, capabilities),
    notes: isRefused ? ['it is not started here, so no run begins'] : [],
    ...(isRefused ? { deniedHere: true as const } : {}),
  };
}

function reaching(transport: McpServerDeclaration['transport'], permissions: Permissions): Permissions {
  if (transport.type === 'stdio') return permissions;
  const host = URL.canParse(transport.url) ? new URL(transport.url).host : transport.url;
  return { ...permissions, hosts: [...permissions.hosts, host] };
}

/** A server that is reached does what it likes; where it is, is checked. */
function enforcementOf(isStarted: boolean, { kernel, enforcement }: SandboxCapabilities): Enforcement {
  if (!isStarted) return { ...NOTHING_ENFORCED, backend: 'in-process', network: 'in-process' };
  return kernel ? enforcement : { ...enforcement, exec: 'none' };
}
