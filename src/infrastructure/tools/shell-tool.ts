import { DeniedError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { createTool } from '../../domain/tool.js';
import type { ProcessCommand } from '../../ports/sandbox.js';
import type { ToolHandler } from '../../ports/tool-handler.js';
import { planProcessAction, runPlannedProcess } from './planned-process.js';
import { isWellFormed } from './tool-output.js';

const PARAMETERS = {
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, description: 'The command line to run.' },
  },
  required: ['command'],
  additionalProperties: false,
} as const;

/** Runs a command line that the model wrote, as far as the sandbox lets it. */
export function shellTool(name = 'shell'): ToolHandler {
  return {
    tool: createTool({
      name,
      description: 'Runs a shell command in the workspace and returns what it prints.',
      parameters: PARAMETERS,
      sideEffects: 'external',
      destructive: true,
      idempotent: false,
    }),
    plan: (args, context) => {
      const command = commandOf(args);
      return planProcessAction(command, context, command.commandLine);
    },
    run: (args, context) => runPlannedProcess(commandOf(args), context),
  };
}

/** Refuses what no process could receive unchanged: what is approved must be what arrives. */
function commandOf({ command }: JsonObject): Extract<ProcessCommand, { kind: 'command-line' }> {
  const commandLine = String(command);
  if (commandLine.includes('\0')) throw new DeniedError('the command holds a NUL character');
  if (!isWellFormed(commandLine)) {
    throw new DeniedError(
      'the command holds half a character (a lone surrogate), which no process can be given',
    );
  }
  return { kind: 'command-line', commandLine };
}
