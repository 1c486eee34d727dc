import { ToolgateError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';
import { LONGEST_TIMER_MS } from '../domain/longest-timer.js';
import { CommandAgent } from '../infrastructure/providers/command/command-agent.js';
import { durationMs } from '../infrastructure/providers/http/option-values.js';
import { compileCommandTemplate } from '../infrastructure/tools/template/command-template.js';
import type { ProcessCommand } from '../ports/sandbox.js';

const DEFAULT_TIMEOUT_MS = 10 * 60_000;

/** The provider `command`: its template is compiled as those of tools are, so that no option becomes shell text. */
export function createCommandAgent(options: JsonObject): CommandAgent {
  return new CommandAgent({ command: commandOf(options), timeoutMs: timeoutOf(options) });
}

function commandOf({ command, ...options }: JsonObject): ProcessCommand {
  if (typeof command !== 'string' || command.trim() === '') {
    throw invalid(
      "needs `command` among the step's options: a program that reads a prompt on its standard input",
    );
  }
  const scope = { options, inputs: {}, env: {}, parameters: {}, allowDash: [] };
  return compileCommandTemplate(command, scope).fill({});
}

function timeoutOf({ timeout }: JsonObject): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT_MS;
  const ms = durationMs(timeout);
  if (ms >= 1 && ms <= LONGEST_TIMER_MS) return ms;
  throw invalid('needs a `timeout` in seconds, or a text such as 30s or 1m30s');
}

function invalid(problem: string): ToolgateError {
  return new ToolgateError('WORKFLOW.PROVIDER.INVALID_OPTIONS', `The provider "command" ${problem}`);
}
