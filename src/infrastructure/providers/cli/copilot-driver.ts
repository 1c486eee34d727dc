import { join } from 'node:path';
import { type CliCommand, type CliDriver, type CliTurn, SERVER } from './cli-driver.js';
import { CopilotReader } from './copilot-reader.js';
import { promptWithSystem } from './prompt-with-system.js';

const CONFIG = 'mcp.json';
const DAY_MS = 24 * 60 * 60 * 1000;

/** GitHub Copilot CLI: of all tools, only those of our server are available to its model. */
export const COPILOT: CliDriver = {
  name: 'github_copilot',
  program: 'copilot',
  npmPackage: '@github/copilot',
  testedVersion: '1.0.102',
  command,
  reader: ({ sessionId, newSessionId }) => new CopilotReader(sessionId ?? newSessionId),
};

function command(turn: CliTurn): CliCommand {
  const { model, sessionId, newSessionId, server, folder } = turn;
  const local = server && { type: 'local', ...server, tools: ['*'], timeout: DAY_MS };
  return {
    args: [
      ...['--output-format', 'json', '--no-auto-update', '--no-ask-user', '--disable-builtin-mcps'],
      ...['--additional-mcp-config', `@${join(folder, CONFIG)}`],
      // One name that no tool has, where there are none of ours: an empty list would mean all.
      ...['--available-tools', server ? SERVER : 'none'],
      ...(server ? ['--allow-tool', SERVER] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [`--session-id=${newSessionId}`] : [`--resume=${sessionId}`]),
    ],
    files: { [CONFIG]: JSON.stringify({ mcpServers: local ? { [SERVER]: local } : {} }) },
    input: promptWithSystem(turn),
  };
}
