import { ToolgateError } from '../domain/errors.js';
import type { Tool } from '../domain/tool.js';
import type { ToolProtocol } from '../domain/workflow.js';
import type { FormatDeclaration } from '../pkg/toolparse/formats/declaration.js';
import type { FormatChoice } from '../pkg/toolparse/types.js';
import type { AgentProvider } from '../ports/agent-provider.js';
import type { StepRequest } from './step-request.js';

/** How a step wants its tools to be spoken of. */
export interface ProtocolChoice {
  readonly protocol?: ToolProtocol;
  /** For the text protocol: how calls are written. */
  readonly format?: FormatChoice;
}

/** What most models without tools have seen in training, and what others copy best: JSON in a tag. */
const GENERAL_FORMAT = 'hermes';

/** The agent as it is, or one that speaks of tools in plain text, as the step wants it and the agent needs it. */
export async function speakProtocol(
  agent: AgentProvider,
  tools: readonly Tool[],
  choice: ProtocolChoice,
): Promise<AgentProvider> {
  checkProtocol(agent, choice);
  if (!speaksText(agent, tools.length, choice)) return agent;
  // Here, not at the top: a step with native tools needs no parser.
  const { TextProtocolAgent } = await import('./text-protocol-agent.js');
  return new TextProtocolAgent(agent, { tools, format: choice.format ?? GENERAL_FORMAT });
}

/** What a step chose, its format as the workflow declares it where that is one of its own. */
export function choiceOf({
  protocol = {},
  formats = [],
}: Pick<StepRequest, 'protocol' | 'formats'>): ProtocolChoice {
  const declared = formats.find(({ id }) => id === protocol.format);
  // Checked by toolparse when the workflow was loaded; the domain only knows that it is data.
  return declared ? { ...protocol, format: declared as unknown as FormatDeclaration } : protocol;
}

/** Refuses what can never work, so that it is found before the first step runs. */
export function checkProtocol(agent: AgentProvider, { protocol }: ProtocolChoice): void {
  const { toolProtocol = 'native', name } = agent;
  if (agent.ownsLoop && protocol === 'text') {
    const message = `The provider "${name}" calls tools by itself; leave \`tool_protocol\` out`;
    throw new ToolgateError('WORKFLOW.PROVIDER.INVALID_OPTIONS', message);
  }
  if (protocol !== 'native' || toolProtocol === 'native') return;
  const message = `The provider "${name}" has no native tools; use \`tool_protocol: text\`, or leave it out`;
  throw new ToolgateError('WORKFLOW.PROVIDER.NO_NATIVE_TOOLS', message);
}

/** Whether the agent must be told of its tools in plain text; one that already speaks so is left as it is. */
export function speaksText(agent: AgentProvider, tools: number, { protocol }: ProtocolChoice): boolean {
  const { toolProtocol = 'native' } = agent;
  return tools > 0 && (toolProtocol === 'none' || (toolProtocol === 'native' && protocol === 'text'));
}
