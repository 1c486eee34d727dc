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
  const tools = processTools(workflow);
  if (tools.length === 0) return [];
  const capabilities = await container.get<Sandbox>(TOKENS.Sandbox).probe({ signal });
  const warning = sandboxWarning(workflow, tools, capabilities);
  return warning === undefined ? [] : [warning];
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
