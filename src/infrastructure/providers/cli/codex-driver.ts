import {
  type CliCommand,
  type CliDriver,
  type CliTurn,
  SERVER,
  type ServerCommand,
  TOOLS_WAIT_MS,
} from './cli-driver.js';
import { CodexReader } from './codex-reader.js';
import { promptWithSystem } from './prompt-with-system.js';

/** Everything that gives its model a tool, or that starts programs beside it. */
const OFF = [
  ...['shell_tool', 'unified_exec', 'view_image', 'image_generation', 'computer_use', 'browser_use'],
  ...['multi_agent', 'goals', 'sleep_tool', 'skill_search', 'tool_suggest', 'hooks'],
  ...['apps', 'plugins', 'remote_plugin', 'workspace_dependencies'],
];
const DAY_SECONDS = 24 * 60 * 60;

/** Codex. It always takes patches from some models: it is told to write nowhere, and what it tries shows. */
export const CODEX: CliDriver = {
  name: 'codex',
  program: 'codex',
  npmPackage: '@openai/codex',
  testedVersion: '0.166.0',
  apiProvider: 'openai',
  warnings: [
    'codex cannot be told to offer no tool of its own to any model; its sandbox is read-only, and what it uses is shown as bypassed',
  ],
  command,
  reader: () => new CodexReader(),
};

function command(turn: CliTurn): CliCommand {
  const { model, sessionId, server } = turn;
  return {
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      // The person's own configuration may name other MCP servers, whose tools no gate would see.
      ...['--ignore-user-config', '--ignore-rules', '--sandbox', 'read-only'],
      ...OFF.flatMap((feature) => ['--disable', feature]),
      ...['-c', 'web_search="disabled"'],
      ...(server ? ['-c', `mcp_servers.${SERVER}=${serverToml(server)}`] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(sessionId === undefined ? [] : ['resume', sessionId]),
      '-',
    ],
    input: promptWithSystem(turn),
  };
}

function serverToml({ command: program, args }: ServerCommand): string {
  const fields = {
    command: JSON.stringify(program),
    args: JSON.stringify(args),
    default_tools_approval_mode: '"approve"',
    required: 'true',
    startup_timeout_sec: String(TOOLS_WAIT_MS / 1000),
    tool_timeout_sec: String(DAY_SECONDS),
  };
  return `{${Object.entries(fields)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')}}`;
}
