import {
  CLI_PROVIDERS,
  type ProviderFactory,
  ProviderRegistry,
} from '../infrastructure/providers/provider-registry.js';
import type { AgentProviders } from '../ports/agent-provider.js';
import type { RunJournal } from '../ports/run-journal.js';
import type { ToolServer } from '../ports/tool-server.js';

/** The command lines among them serve our tools, and may need the others in their place. */
export function agentProviders(toolServer: ToolServer, { home }: RunJournal): AgentProviders {
  const cliProvider =
    (name: string): ProviderFactory =>
    async (options) => {
      const { createCliProvider } = await import('./cli-provider.js');
      return createCliProvider(name, options, { toolServer, providers, ...(home ? { home } : {}) });
    };
  const lines = Object.fromEntries(CLI_PROVIDERS.map((name) => [name, cliProvider(name)]));
  const providers = new ProviderRegistry({ providers: { command: commandProvider, ...lines } });
  return providers;
}

/** Here, because it takes templates from the tools and the rest from the providers, which do not know each other. */
const commandProvider: ProviderFactory = async (options) =>
  (await import('./command-provider.js')).createCommandAgent(options);
