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
import { EXIT } from '../exit-code.js';
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
import { heldBackToJson, heldBackToText } from '../output/held-back.js';
import { prettyJson } from '../output/json-text.js';
import { redactorsOf } from '../redactors.js';

interface McpOptions extends OutputOptions, InputOptions, WorkspaceOptions {
  readonly accept?: true;
}

export function defineMcp(command: Command, { io, exit }: CommandHost): void {
  command.option('--accept', 'approve what this command showed last, as far as the servers still say it');
  addInputs(command);
  addWorkspace(command);
  addOutputFormat(command, ['text', 'json']);
  addExamples(command, 'toolgate mcp workflow.yaml', 'toolgate mcp workflow.yaml --accept');
  command.action(async (file: string, options: McpOptions) => exit(await printServers(file, options, io)));
}

async function printServers(file: string, options: McpOptions, io: CliIo): Promise<number> {
  const opened = await openWorkflow(file, options, io);
  const { workflow, inputs, workspace } = opened;
  const container = await createContainer({ journal: 'file', workspace });
  const source = container.get<ToolSource>(TOKENS.ToolSource);
  const { home } = container.get<RunJournal>(TOKENS.RunJournal);
  const request = { ...toolsOf({ ...opened, env: io.env }, home), declarations: [] };
  const serverChanges = options.accept ? 'accept' : 'show';
  const entries = await source.open({ ...request, serverChanges }, { signal: io.interruption() });
  await source.close?.(entries);
  const { data } = redactorsOf(workflow, inputs, io);
  const isJson = options.outputFormat === 'json';
  io.out(isJson ? prettyJson(data.json({ tools: entries.map(toJson) })) : data.text(toText(entries)));
  const isWaiting = entries.some(({ heldBack }) => heldBack?.canBeAccepted);
  if (isWaiting) io.err(`${options.accept ? NOT_SHOWN_BEFORE : WHAT_TO_DO}\n`);
  return isWaiting && options.accept ? EXIT.execution : EXIT.success;
}

const WHAT_TO_DO = 'To approve what is shown above: the same command with --accept';
const NOT_SHOWN_BEFORE =
  'What is held back above had not been shown like this before, so it was not approved. If it is right, run the same command again';

function toJson({ handler, approval, heldBack }: ToolEntry): JsonObject {
  const { name, description, parameters } = handler.tool;
  const held = heldBack === undefined ? {} : heldBackToJson(heldBack);
  return { name, description, parameters, approval: approval.default, ...held };
}

function toText(entries: readonly ToolEntry[]): string {
  if (entries.length === 0) return 'The workflow has no MCP servers, or they have no tools.\n';
  const lines = entries.map(({ handler, approval, heldBack }) => {
    const { name, description } = handler.tool;
    const head = `${name}  (${approval.default})`;
    if (heldBack) return `${head}  ${heldBackToText(heldBack)}`;
    return `${head}  ${toVisible(description.split('\n', 1)[0] ?? '')}`;
  });
  return `${lines.join('\n')}\n`;
}
