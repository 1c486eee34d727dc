import type { Command } from 'commander';
import { toolsOf } from '../../../application/tools-of.js';
import { createContainer } from '../../../container.js';
import type { JsonObject } from '../../../domain/json.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { RunJournal } from '../../../ports/run-journal.js';
import { TOKENS } from '../../../ports/tokens.js';
import type { ToolEntry } from '../../../ports/tool-executor.js';
import type { ToolSource } from '../../../ports/tool-source.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { openWorkflow } from '../open-workflow.js';
import {
  addExamples,
  addInputs,
  addOutputFormat,
  addWorkspace,
  type InputOptions,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { prettyJson } from '../output/json-text.js';
import { redactorsOf } from '../redactors.js';

interface McpOptions extends OutputOptions, InputOptions, WorkspaceOptions {
  readonly accept?: true;
}

export function defineMcp(command: Command, { io }: CommandHost): void {
  command.option('--accept', 'approve what the servers say of their tools now');
  addInputs(command);
  addWorkspace(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate mcp workflow.yaml', 'toolgate mcp workflow.yaml --accept');
  command.action(async (file: string, options: McpOptions) => printServers(file, options, io));
}

async function printServers(file: string, options: McpOptions, io: CliIo): Promise<void> {
  const opened = await openWorkflow(file, options, io);
  const { workflow, inputs, workspace } = opened;
  const container = await createContainer({ journal: 'file', workspace });
  const source = container.get<ToolSource>(TOKENS.ToolSource);
  const { home } = container.get<RunJournal>(TOKENS.RunJournal);
  const request = { ...toolsOf({ ...opened, env: io.env }, home), declarations: [] };
  const acceptServerChanges = options.accept ?? false;
  const entries = await source.open({ ...request, acceptServerChanges }, { signal: io.interruption() });
  await source.close?.(entries);
  const { data } = redactorsOf(workflow, inputs, io);
  const isJson = options.outputFormat === 'json';
  io.out(isJson ? prettyJson(data.json({ tools: entries.map(toJson) })) : data.text(toText(entries)));
}

function toJson({ handler, approval, heldBack }: ToolEntry): JsonObject {
  const { name, description, parameters } = handler.tool;
  const held = heldBack === undefined ? {} : { held_back: heldBack };
  return { name, description, parameters, approval: approval.default, ...held };
}

function toText(entries: readonly ToolEntry[]): string {
  if (entries.length === 0) return 'The workflow has no MCP servers, or they have no tools.\n';
  const lines = entries.map(({ handler, approval, heldBack }) => {
    const { name, description } = handler.tool;
    const words = heldBack === undefined ? (description.split('\n', 1)[0] ?? '') : `HELD BACK: ${heldBack}`;
    return `${name}  (${approval.default})  ${toVisible(words)}`;
  });
  return `${lines.join('\n')}\n`;
}
