import { suggestName } from '../../domain/closest.js';
import { ToolgateError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { AgentProvider, AgentProviders } from '../../ports/agent-provider.js';
import type { HttpSurroundings } from './http/create-client.js';
import type { ModelTransport } from './http/model-transport.js';

/** Makes a provider from a step's options. */
export type ProviderFactory = (options: JsonObject) => AgentProvider | Promise<AgentProvider>;

export interface ProviderRegistryOptions {
  /** Providers of the host program; a name of ours is replaced. */
  readonly providers?: Readonly<Record<string, ProviderFactory>>;
  /** Where keys are; the process's own environment when left out. */
  readonly env?: HttpSurroundings['env'];
  /** What HTTP providers send their requests with; got when left out. */
  readonly transport?: ModelTransport;
}

/** AI command lines, which need more than their options: whoever wires the registry adds them. */
export const CLI_PROVIDERS = ['claude', 'codex', 'gemini', 'github_copilot', 'opencode'];

/** The providers there are, by the name a step uses. */
export class ProviderRegistry implements AgentProviders {
  readonly #factories: ReadonlyMap<string, ProviderFactory>;

  constructor({ providers = {}, env = process.env, transport }: ProviderRegistryOptions = {}) {
    const surroundings = { env, ...(transport ? { transport } : {}) };
    this.#factories = new Map([
      ['scripted', createScripted],
      ...Object.entries(httpProviders(surroundings)),
      ...Object.entries(providers),
    ]);
  }

  async create(name: string, options: JsonObject): Promise<AgentProvider> {
    const factory = this.#factories.get(name);
    if (!factory) throw unknownProvider(name, [...this.#factories.keys()]);
    return factory(options);
  }
}

/** Loaded when a step names one: most programs use one of them, or none. */
function httpProviders(surroundings: HttpSurroundings): Readonly<Record<string, ProviderFactory>> {
  return {
    anthropic: async (options) =>
      (await import('./anthropic/anthropic-agent.js')).createAnthropic(options, surroundings),
    google: async (options) => (await import('./google/google-agent.js')).createGoogle(options, surroundings),
    ollama: async (options) => (await import('./ollama/ollama-agent.js')).createOllama(options, surroundings),
    openai: async (options) => (await import('./openai/openai-agent.js')).createOpenAi(options, surroundings),
    openai_compatible: async (options) =>
      (await import('./openai/openai-agent.js')).createOpenAiCompatible(options, surroundings),
  };
}

async function createScripted(options: JsonObject): Promise<AgentProvider> {
  const { script } = options;
  if (typeof script !== 'string' || script === '') {
    const message =
      'The provider "scripted" needs a script: --script FILE, or `script` among the step\'s options';
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  const [{ loadScript }, { ScriptedProvider }] = await Promise.all([
    import('./load-script.js'),
    import('./scripted-provider.js'),
  ]);
  return new ScriptedProvider(await loadScript(script), options);
}

function unknownProvider(name: string, known: readonly string[]): ToolgateError {
  const message = `There is no provider "${name}" (${suggestName(name, known.toSorted())})`;
  return new ToolgateError('WORKFLOW.PROVIDER.UNKNOWN', message);
}
