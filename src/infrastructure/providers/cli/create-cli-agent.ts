import { ToolgateError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { AgentProvider, AgentProviders } from '../../../ports/agent-provider.js';
import { lookForProgram } from '../command/find-program.js';
import { CLAUDE } from './claude-driver.js';
import { CliAgent, type CliSurroundings } from './cli-agent.js';
import type { CliDriver } from './cli-driver.js';
import { apiOptions, cliOptions } from './cli-options.js';
import { CODEX } from './codex-driver.js';
import { COPILOT } from './copilot-driver.js';
import { GEMINI } from './gemini-driver.js';
import { OPENCODE } from './opencode-driver.js';

const DRIVERS: readonly CliDriver[] = [CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT];

export interface CliAgentParts {
  readonly surroundings: CliSurroundings;
  /** Where API providers come from. */
  readonly providers: AgentProviders;
}

/** The agent behind a command line's name; or, if it is not installed and the step says so, the API of its models. */
export async function createCliAgent(
  name: string,
  options: JsonObject,
  { surroundings, providers }: CliAgentParts,
): Promise<AgentProvider> {
  const driver = DRIVERS.find((one) => one.name === name);
  if (!driver) throw new ToolgateError('WORKFLOW.PROVIDER.UNKNOWN', `There is no provider "${name}"`);
  const settings = cliOptions(driver, options);
  const { binary = driver.program, fallback } = settings;
  const program = lookForProgram(binary, surroundings.env.PATH ?? '');
  if (program !== undefined) return new CliAgent(driver, program, settings, surroundings);
  const problem = missing(driver, binary);
  if (fallback === undefined || driver.apiProvider === undefined) {
    throw new ToolgateError('USER.PROVIDER.NOT_INSTALLED', `${problem}. ${remedy(driver)}`);
  }
  const agent = await providers.create(driver.apiProvider, apiOptions(options)).catch((error: unknown) => {
    throw fallbackFailed(problem, error);
  });
  const { name: api, toolProtocol = 'native' } = agent;
  return {
    name: api,
    toolProtocol,
    warnings: [
      ...(agent.warnings ?? []),
      `${problem}; the provider "${api}" answers instead (fallback: api)`,
    ],
    costUnknown: agent.costUnknown,
    complete: (request, context) => agent.complete(request, context),
  };
}

function missing({ name }: CliDriver, binary: string): string {
  const where = binary.includes('/') ? 'there is no such program' : 'it is in no folder of PATH';
  return `The provider "${name}" cannot run "${binary}": ${where}`;
}

/** Whoever wrote the name of a command line must not wonder why another provider wants a key. */
function fallbackFailed(problem: string, error: unknown): unknown {
  if (!(error instanceof ToolgateError)) return error;
  const message = `${problem}, and its API cannot answer instead (fallback: api). ${error.message}`;
  return new ToolgateError(error.code, message, { cause: error });
}

function remedy({ npmPackage, apiProvider }: CliDriver): string {
  const install = `Install it with \`npm install -g ${npmPackage}\``;
  const name = "name it in the step's `options.binary`";
  if (apiProvider === undefined) return `${install}, or ${name}`;
  return `${install}, ${name}, or use its API with \`fallback: api\` ("${apiProvider}")`;
}
