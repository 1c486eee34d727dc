import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../domain/json.js';
import { createCliAgent } from '../infrastructure/providers/cli/create-cli-agent.js';
import { VersionCheck } from '../infrastructure/providers/cli/version-check.js';
import { startTimeOf } from '../infrastructure/sandbox/process-table.js';
import type { AgentProvider, AgentProviders } from '../ports/agent-provider.js';
import type { ToolServer } from '../ports/tool-server.js';

export interface CliProviderParts {
  readonly toolServer: ToolServer;
  readonly providers: AgentProviders;
  /** Where runs are kept; command lines work in a folder below it, where no tool may write. */
  readonly home?: string;
}

const versions = new VersionCheck(process.env);

/** The providers that are command lines of others: here, because they take parts of concerns that do not know each other. */
export function createCliProvider(
  name: string,
  options: JsonObject,
  { toolServer, providers, home }: CliProviderParts,
): Promise<AgentProvider> {
  const folder = join(home ?? temporaryHome(), 'agents', name);
  const shim = { command: process.execPath, args: [ownCli(), 'serve', '--attach'] };
  const surroundings = { toolServer, shim, folder, env: process.env, startTimeOf, versions };
  return createCliAgent(name, options, { surroundings, providers });
}

let made: string | undefined;

/** For runs that are gone with the process. Nobody else can have made it before. */
function temporaryHome(): string {
  made ??= mkdtempSync(join(tmpdir(), 'toolgate-agents-'));
  return made;
}

/** Our own command line, from wherever this file was bundled to. */
function ownCli(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!isPackage(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'dist', 'cli.js');
}

function isPackage(folder: string): boolean {
  const file = join(folder, 'package.json');
  return (
    existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === 'toolgate'
  );
}
