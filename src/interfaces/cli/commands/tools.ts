import type { Command } from 'commander';
import type { JsonObject } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { describeTools, toolToJson } from '../describe-tools.js';
import { loadWorkflowFile } from '../open-workflow.js';
import { addExamples, addOutputFormat, type OutputOptions } from '../options.js';
import { prettyJson } from '../output/json-text.js';

export function defineTools(command: Command, { io }: CommandHost): void {
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate tools workflow.yaml --output-format json > tools.json');
  command.action(async (file: string, options: OutputOptions) => printTools(file, options, io));
}

async function printTools(file: string, { outputFormat }: OutputOptions, io: CliIo): Promise<void> {
  const tools = await describeTools(await loadWorkflowFile(file, io.cwd), io.cwd);
  if (outputFormat === 'json') io.out(prettyJson({ tools: tools.map(toolToJson) }));
  else io.out(tools.map(toolText).join('\n'));
}

function toolText({ name, description, parameters }: Tool): string {
  const schema = prettyJson(parameters as JsonObject)
    .trimEnd()
    .replace(/^/gm, '  ');
  const words =
    description === '' ? '' : `${toVisible(description.trim(), { multiline: true }).replace(/^/gm, '  ')}\n`;
  return `${name}\n${words}${schema}\n`;
}
