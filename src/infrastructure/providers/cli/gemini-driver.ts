import { join } from 'node:path';
import { type CliCommand, type CliDriver, type CliTurn, SERVER } from './cli-driver.js';
import { GeminiReader } from './gemini-reader.js';
import { promptWithSystem } from './prompt-with-system.js';

const POLICY = 'policy.toml';
const SOCKET = 'TOOLGATE_SOCKET';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Gemini CLI: a policy of ours denies every tool but those of our server, so that its model is offered no other. */
export const GEMINI: CliDriver = {
  name: 'gemini',
  program: 'gemini',
  npmPackage: '@google/gemini-cli',
  testedVersion: '0.61.0',
  apiProvider: 'google',
  // It hides a server's tool that has the name of one of its own, which the policy denies.
  toolPrefix: 'gate_',
  command,
  reader: () => new GeminiReader(),
};

function command(turn: CliTurn): CliCommand {
  const { model, sessionId, server, folder } = turn;
  return {
    args: [
      ...['--output-format', 'stream-json', '--approval-mode', 'default', '--extensions', 'none'],
      ...['--allowed-mcp-server-names', server ? SERVER : 'none'],
      ...['--policy', join(folder, POLICY)],
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['--resume', sessionId]),
    ],
    // The folder is our own and empty; only if it is trusted are our settings in it read.
    env: { GEMINI_CLI_TRUST_WORKSPACE: 'true', [SOCKET]: server?.args.at(-1) ?? '' },
    files: { [POLICY]: policy() },
    ...(server ? { settled: { '.gemini/settings.json': settings(server) } } : {}),
    input: promptWithSystem(turn),
  };
}

/** The same for every turn, since turns share the folder: what differs comes by the environment. */
function settings({ command: program, args }: NonNullable<CliTurn['server']>): string {
  const server = {
    command: program,
    args: [...args.slice(0, -1), `$${SOCKET}`],
    trust: true,
    timeout: DAY_MS,
  };
  return JSON.stringify({
    mcpServers: { [SERVER]: server },
    general: { disableAutoUpdate: true },
    skills: { enabled: false },
    hooksConfig: { enabled: false },
  });
}

function policy(): string {
  const rule = (fields: readonly string[]): string => `[[rule]]\n${fields.join('\n')}\n`;
  return [
    rule([`mcpName = "${SERVER}"`, 'toolName = "*"', 'decision = "allow"', 'priority = 999']),
    rule(['toolName = "*"', 'decision = "deny"', 'priority = 998']),
  ].join('\n');
}
