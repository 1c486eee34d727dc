import type { Container } from 'inversify';
import type { Workflow } from '../../domain/workflow.js';
import type { Sandbox, SandboxCapabilities } from '../../ports/sandbox.js';
import { TOKENS } from '../../ports/tokens.js';

/** What people should know before a run of this workflow starts here. */
export async function warningsFor(
  workflow: Workflow,
  container: Container,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!startsProcesses(workflow)) return [];
  const capabilities = await container.get<Sandbox>(TOKENS.Sandbox).probe({ signal });
  return sandboxWarnings(workflow, capabilities);
}

/** What a kernel that confines nothing means for the tools of a workflow, and for its servers. */
export function sandboxWarnings(
  workflow: Workflow,
  capabilities: Pick<SandboxCapabilities, 'kernel'>,
): readonly string[] {
  const tools = sandboxWarning(workflow, processTools(workflow), capabilities);
  const servers = serverWarning(workflow, startedServers(workflow), capabilities);
  return [tools, servers].flatMap((warning) => warning ?? []);
}

export function startsProcesses(workflow: Workflow): boolean {
  return processTools(workflow).length + startedServers(workflow).length > 0;
}

/** What `on_unavailable` comes to on this machine for the tools named, said plainly; nothing if the kernel holds. */
export function sandboxWarning(
  { onUnavailable }: Pick<Workflow, 'onUnavailable'>,
  tools: readonly string[],
  { kernel }: Pick<SandboxCapabilities, 'kernel'>,
): string | undefined {
  if (kernel || tools.length === 0) return undefined;
  const who = `${tools.join(', ')} ${CONSEQUENCE[onUnavailable]}`;
  return `the kernel does not confine processes here, so ${who} (sandbox.on_unavailable: ${onUnavailable})`;
}

/** Servers are started before anybody could be asked about a call. */
function serverWarning(
  { onUnavailable }: Pick<Workflow, 'onUnavailable'>,
  servers: readonly string[],
  { kernel }: Pick<SandboxCapabilities, 'kernel'>,
): string | undefined {
  if (kernel || servers.length === 0) return undefined;
  const isStarted = onUnavailable === 'warn';
  const what = isStarted ? CONSEQUENCE.warn : 'will not be started, and no run begins';
  const who = `the MCP server${servers.length === 1 ? '' : 's'} ${servers.join(', ')} ${what}`;
  return `the kernel does not confine processes here, so ${who} (sandbox.on_unavailable: ${onUnavailable})`;
}

const CONSEQUENCE: Readonly<Record<Workflow['onUnavailable'], string>> = {
  deny: 'will be denied every call',
  prompt: 'will ask a person before every call',
  warn: 'will run with the checks of this process only: a program that is started can do what you can',
};

/** The tools that start a process: whether the kernel confines them is what matters most about them. */
export function processTools({ tools }: Pick<Workflow, 'tools'>): readonly string[] {
  return tools
    .filter(({ kind }) => kind.type === 'command' || (kind.type === 'builtin' && kind.builtin === 'shell'))
    .map(({ name }) => name);
}

function startedServers({ mcpServers = [] }: Pick<Workflow, 'mcpServers'>): readonly string[] {
  return mcpServers.filter(({ transport }) => transport.type === 'stdio').map(({ name }) => name);
}
