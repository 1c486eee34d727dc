import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../src/domain/json.js';
import { createTool } from '../../../../src/domain/tool.js';
import { McpToolServer } from '../../../../src/infrastructure/mcp/mcp-tool-server.js';
import { createCliAgent } from '../../../../src/infrastructure/providers/cli/create-cli-agent.js';
import { VersionCheck } from '../../../../src/infrastructure/providers/cli/version-check.js';
import { ProviderRegistry } from '../../../../src/infrastructure/providers/provider-registry.js';
import type { AgentProvider } from '../../../../src/ports/agent-provider.js';
import { ANTHROPIC_WIRE } from '../../../support/fake-model/anthropic-wire.js';
import { askOnce } from '../../../support/fake-model/ask-once.js';
import { GOOGLE_WIRE } from '../../../support/fake-model/google-wire.js';
import { RESPONSES_WIRE } from '../../../support/fake-model/responses-wire.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const COMMAND_LINES = [
  ['claude', ANTHROPIC_WIRE],
  ['codex', RESPONSES_WIRE],
  ['gemini', GOOGLE_WIRE],
] as const;

const REQUEST = {
  messages: [{ role: 'user' as const, content: 'go' }],
  tools: [createTool({ name: 'read_file', parameters: { type: 'object', additionalProperties: true } })],
  options: {},
};

/** The agent of a machine on which no command line is installed. */
function agentOf(
  name: string,
  options: JsonObject,
  env: Readonly<Record<string, string>>,
): Promise<AgentProvider> {
  const surroundings = {
    toolServer: new McpToolServer(),
    shim: { command: process.execPath, args: [] },
    folder: temporaryFolder(),
    env: { PATH: temporaryFolder() },
    startTimeOf: () => '',
    versions: new VersionCheck({}),
  };
  const settings = { fallback: 'api', strict: true, ...options };
  return createCliAgent(name, settings, { surroundings, providers: new ProviderRegistry({ env }) });
}

describe('fallback: api', () => {
  it.each(COMMAND_LINES)(
    '%s, which is not installed: its API answers, and that is said',
    async (name, wire) => {
      const said = wire.answer({ calls: [{ id: 'c1', name: 'read_file', arguments: { path: 'a' } }] }, true);
      let warnings: readonly string[] = [];
      const { value, body } = await askOnce(
        said,
        async (url) => {
          const agent = await agentOf(name, { ...wire.options, base_url: url }, wire.env);
          warnings = agent.warnings ?? [];
          expect(agent).toMatchObject({ name: wire.provider, toolProtocol: 'native' });
          expect(agent.ownsLoop).toBeUndefined();
          return agent;
        },
        REQUEST,
      );
      expect(value?.message.calls).toMatchObject([{ name: 'read_file', arguments: { path: 'a' } }]);
      expect(wire.callable(body)).toEqual(['read_file']);
      expect(warnings).toContainEqual(
        `The provider "${name}" cannot run "${name}": it is in no folder of PATH; ` +
          `the provider "${wire.provider}" answers instead (fallback: api)`,
      );
    },
  );

  it.each(COMMAND_LINES)('%s, without a key for its API either: says both', async (name, wire) => {
    const [variable = ''] = Object.keys(wire.env);
    const missing = agentOf(name, wire.options, {});
    await expect(missing).rejects.toMatchObject({ code: 'USER.PROVIDER.NO_KEY' });
    for (const part of [
      `cannot run "${name}"`,
      'fallback: api',
      `"${wire.provider}" needs a key`,
      variable,
    ]) {
      await expect(missing).rejects.toThrow(part);
    }
  });

  it('says that an API has no model of its own choice', async () => {
    await expect(agentOf('claude', {}, ANTHROPIC_WIRE.env)).rejects.toMatchObject({
      code: 'WORKFLOW.PROVIDER.INVALID_OPTIONS',
      message: expect.stringMatching(/cannot run "claude"[\s\S]*options.model/),
    });
  });

  it.each(['opencode', 'github_copilot'])('%s has no API of its own, and says so', async (name) => {
    await expect(agentOf(name, {}, {})).rejects.toMatchObject({
      code: 'WORKFLOW.PROVIDER.INVALID_OPTIONS',
      message: expect.stringContaining('there is no API provider'),
    });
  });
});
