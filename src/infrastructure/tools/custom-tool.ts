import { InvalidToolError } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/json.js';
import { createTool, type Tool } from '../../domain/tool.js';
import type { ProcessCommand } from '../../ports/sandbox.js';
import type { ToolHandler } from '../../ports/tool-handler.js';
import { planProcessAction, runPlannedProcess } from './planned-process.js';
import { compileCommandTemplate } from './template/command-template.js';
import type { TemplateScope } from './template/template-parameters.js';

export interface CustomToolOptions extends Pick<TemplateScope, 'inputs' | 'env' | 'allowDash'> {
  readonly tool: Partial<Tool> & Pick<Tool, 'name'>;
  /** The template: `rg '{{args.pattern}}' {{inputs.project_path}}`. */
  readonly command: string;
}

/** A tool that a person declared as a command. Its template is compiled here, once; a call only fills it. */
export function customTool({ tool: given, command, ...scope }: CustomToolOptions): ToolHandler {
  const tool = createTool({ ...given, description: given.description || `Runs: ${command.trim()}` });
  checkDashes(tool, scope.allowDash);
  const template = compileCommandTemplate(command, { ...scope, parameters: tool.parameters });
  return {
    tool,
    plan: (args, context) => {
      const filled = template.fill(args);
      return planProcessAction(filled, context, writtenForm(filled));
    },
    run: (args, context) => runPlannedProcess(template.fill(args), context),
  };
}

function writtenForm(command: ProcessCommand): string | undefined {
  return command.kind === 'script' ? command.script : undefined;
}

function checkDashes({ name, parameters }: Tool, allowDash: readonly string[]): void {
  const known = isJsonObject(parameters.properties) ? parameters.properties : {};
  const unknown = allowDash.find((key) => !Object.hasOwn(known, key) && !/^(?:inputs|env)\./.test(key));
  if (unknown === undefined) return;
  throw new InvalidToolError(name, `allows a dash for "${unknown}", which is none of its parameters`);
}
