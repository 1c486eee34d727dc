import { messageOf, ToolgateError } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import {
  lookUp,
  referencesOf,
  renderTemplate,
  TemplateError,
  type TemplateScope,
} from '../domain/template.js';
import type { AgentStep } from '../domain/workflow.js';
import type { AgentProvider, AgentProviders } from '../ports/agent-provider.js';
import { agentWarnings } from './agent-warnings.js';
import type { RunRequest } from './run-request.js';
import { checkProtocol, type ProtocolChoice } from './speak-protocol.js';
import { templateScope } from './template-scope.js';

/** What a run says instead of what its steps do. */
type Replacement = Pick<RunRequest, 'provider' | 'providerOptions'>;

type AgentsRequest = Pick<RunRequest, 'workflow' | 'inputs' | 'env'> & Replacement;

/** A step's agent, with the options it was made with and the protocol that the step wants. */
export interface StepAgent {
  readonly agent: AgentProvider;
  readonly options: JsonObject;
  readonly protocol: ProtocolChoice;
}

/** What is known of a step's agent before it runs: why it cannot, or what it cannot be held to. */
interface AgentFinding {
  readonly step: string;
  readonly error?: ToolgateError;
  readonly warnings: readonly string[];
  /** Whether it runs a loop of its own. */
  readonly ownsLoop: boolean;
}

/** Makes the agent of a step whose values are known. */
export async function makeAgent(
  step: AgentStep,
  scope: TemplateScope,
  { providers, provider, providerOptions }: Replacement & { readonly providers: AgentProviders },
): Promise<StepAgent> {
  const options = { ...stepOptions(step, scope), ...providerOptions, step: step.name };
  const name = provider ?? renderTemplate(step.provider, scope);
  const agent = await providers.create(name, options);
  return { agent, options, protocol: protocolOf(step, provider !== undefined) };
}

/**
 * Makes every step's agent once, so that a later step's missing provider is found before the first step runs. A step
 * whose options wait for what an earlier one will say is looked at when its turn comes.
 */
export async function inspectAgents(
  { workflow, inputs, env, ...replacement }: AgentsRequest,
  providers: AgentProviders,
): Promise<readonly AgentFinding[]> {
  const scope = templateScope(inputs, new Map(), env);
  const findings: AgentFinding[] = [];
  for (const step of workflow.steps) {
    try {
      requireEnvironment(step, scope);
      const { agent, protocol } = await makeAgent(step, scope, { providers, ...replacement });
      checkProtocol(agent, protocol);
      const { maxCostUsd = workflow.budget?.maxCostUsd } = step.toolOptions;
      const warnings = agentWarnings(agent, maxCostUsd !== undefined);
      findings.push({ step: step.name, warnings, ownsLoop: agent.ownsLoop ?? false });
    } catch (error) {
      if (error instanceof TemplateError) continue;
      if (!(error instanceof ToolgateError)) throw error;
      findings.push({ step: step.name, error, warnings: [], ownsLoop: false });
    }
  }
  return findings;
}

/** Variables are known before the first step runs, so that a later step's missing one is told then. */
function requireEnvironment(step: AgentStep, scope: TemplateScope): void {
  const { command: _, ...options } = step.options;
  const texts = [
    step.prompt,
    step.systemPrompt ?? '',
    step.conversation?.nextPrompt ?? '',
    ...textsIn(options),
  ];
  const references = texts.flatMap(referencesOf).filter(({ path }) => path[0] === 'env');
  try {
    for (const reference of references) lookUp(reference, scope);
  } catch (error) {
    throw new ToolgateError('WORKFLOW.TEMPLATE.MISSING_VALUE', messageOf(error));
  }
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** An error that says which step it is about. */
export function inStep(step: string, error: ToolgateError): ToolgateError {
  return new ToolgateError(error.code, `Step "${step}": ${error.message}`, { cause: error });
}

/** The protocol was chosen for the step's own provider; one that replaces it is spoken to as it is able to. */
function protocolOf({ toolProtocol, toolFormat }: AgentStep, isReplaced: boolean): ProtocolChoice {
  return {
    ...(toolProtocol && !isReplaced ? { protocol: toolProtocol } : {}),
    ...(toolFormat ? { format: toolFormat } : {}),
  };
}

/** A command is handed on as written: its provider makes arguments of the values, and never shell text. */
function stepOptions({ options }: AgentStep, scope: TemplateScope): JsonObject {
  const { command, ...others } = options;
  return { ...renderOptions(others, scope), ...(command === undefined ? {} : { command }) };
}

function renderOptions(options: JsonObject, scope: TemplateScope): JsonObject {
  const render = (value: Json): Json => {
    if (typeof value === 'string') return renderTemplate(value, scope);
    if (Array.isArray(value)) return value.map(render);
    return isJsonObject(value) ? renderOptions(value, scope) : value;
  };
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, render(value)]));
}
