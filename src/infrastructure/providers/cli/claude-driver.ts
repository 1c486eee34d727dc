import { join } from 'node:path';
import { ClaudeReader } from './claude-reader.js';
import { type CliCommand, type CliDriver, type CliTurn, SERVER, TOOLS_WAIT_MS } from './cli-driver.js';

const CONFIG = 'mcp.json';
const SYSTEM = 'system.md';
/** Whoever is asked about a call may take a day for it; the step's own limits end it earlier. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Claude Code: all of its own tools off, and of all settings only the person's own. */
export const CLAUDE: CliDriver = {
  name: 'claude',
  program: 'claude',
  reportsCost: true,
  npmPackage: '@anthropic-ai/claude-code',
  testedVersion: '2.1.197',
  apiProvider: 'anthropic',
  command,
  reader: () => new ClaudeReader(),
};

function command({ prompt, system, model, sessionId, server, folder }: CliTurn): CliCommand {
  return {
    args: [
      '-p',
      ...['--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
      // A workspace's settings could start programs of their own (hooks), which no gate would see.
      ...['--setting-sources', 'user', '--disable-slash-commands'],
      ...['--tools', ''],
      ...['--strict-mcp-config', '--mcp-config', join(folder, CONFIG)],
      ...(server ? ['--allowedTools', `mcp__${SERVER}`] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['--resume', sessionId]),
      ...(system === undefined ? [] : ['--append-system-prompt-file', join(folder, SYSTEM)]),
    ],
    env: {
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      MCP_TOOL_TIMEOUT: String(DAY_MS),
      // Else it asks its model while our server is still starting, or after five seconds of waiting for it.
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_CONNECT_TIMEOUT_MS: String(TOOLS_WAIT_MS),
      MCP_TIMEOUT: String(TOOLS_WAIT_MS),
    },
    files: {
      [CONFIG]: JSON.stringify({
        mcpServers: server ? { [SERVER]: { type: 'stdio', alwaysLoad: true, ...server } } : {},
      }),
      ...(system === undefined ? {} : { [SYSTEM]: system }),
    },
    input: prompt,
  };
}
