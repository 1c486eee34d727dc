import type { Command } from 'commander';
import type { JsonObject } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { McpServerDeclaration } from '../../../domain/workflow.js';
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
  const workflow = await loadWorkflowFile(file, io.cwd);
  const tools = await describeTools(workflow, io.cwd);
  const { mcpServers = [] } = workflow;
  const servers = mcpServers.length === 0 ? {} : { mcp_servers: mcpServers.map(serverToJson) };
  if (outputFormat === 'json') io.out(prettyJson({ tools: tools.map(toolToJson), ...servers }));
  else io.out([...tools.map(toolText), ...mcpServers.map(serverText)].join('\n'));
}

/** What a server says of its tools is known only once it is started, which is for \`toolgate mcp\`. */
function serverToJson({ name, tools }: McpServerDeclaration): JsonObject {
  return { name, ...(tools ? { tools: tools.map((tool) => `${name}_${tool}`) } : {}) };
}

function serverText({ name, tools }: McpServerDeclaration): string {
  const which = tools?.map((tool) => `${name}_${tool}`).join(', ') ?? 'all that it lists';
  return `${toVisible(`${name}_… (of the MCP server "${name}": ${which})`)}\n  \`toolgate mcp\` starts it, and says what they are\n`;
}

function toolText({ name, description, parameters }: Tool): string {
  const schema = prettyJson(parameters as JsonObject)
    .trimEnd()
    .replace(/^/gm, '  ');
  const words =
    description === '' ? '' : `${toVisible(description.trim(), { multiline: true }).replace(/^/gm, '  ')}\n`;
  return `${name}\n${words}${schema}\n`;
}
