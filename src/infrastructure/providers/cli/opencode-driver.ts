import { type CliCommand, type CliDriver, type CliTurn, SERVER } from './cli-driver.js';
import { OpencodeReader } from './opencode-reader.js';
import { promptWithSystem } from './prompt-with-system.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** opencode: every tool off and denied but those of our server, whatever the person's own settings say. */
export const OPENCODE: CliDriver = {
  name: 'opencode',
  program: 'opencode',
  reportsCost: true,
  npmPackage: 'opencode-ai',
  testedVersion: '1.18.33',
  command,
  reader: () => new OpencodeReader(),
};

function command(turn: CliTurn): CliCommand {
  const { model, sessionId } = turn;
  return {
    args: [
      ...['run', '--pure', '--format', 'json'],
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['--session', sessionId]),
    ],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(settings(turn)),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    input: promptWithSystem(turn),
  };
}

function settings({ server }: CliTurn): object {
  const ours = `${SERVER}_*`;
  const local = server && { type: 'local', command: [server.command, ...server.args], enabled: true };
  return {
    tools: { '*': false, [ours]: true },
    permission: { '*': 'deny', [ours]: 'allow' },
    mcp: local ? { [SERVER]: { ...local, timeout: DAY_MS } } : {},
    share: 'disabled',
    autoupdate: false,
  };
}
