import type { Command } from 'commander';
import { suggestName } from '../../../domain/closest.js';
import { ToolgateError } from '../../../domain/errors.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { describeTools } from '../describe-tools.js';
import { type OfferedTool, offeredTools } from '../offered-tools.js';
import { loadWorkflowFile } from '../open-workflow.js';
import { addExamples } from '../options.js';
import { prettyJson } from '../output/json-text.js';
import { readText } from '../read-bounded.js';

interface ParseCommandOptions {
  readonly tools?: string;
  readonly format?: string;
}

export function defineParse(command: Command, { io }: CommandHost): void {
  command
    .option('--tools <file>', "the tools that were offered: a workflow, or the JSON of a request's tools")
    .option('--format <id>', 'the format the reply is written in; all are tried when it is left out');
  addExamples(
    command,
    'toolgate parse reply.txt --tools workflow.yaml',
    'toolgate parse events.sse --format anthropic_messages',
    `echo '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>' | toolgate parse -`,
  );
  command.action(async (file: string | undefined, options: ParseCommandOptions) =>
    printCalls(file ?? '-', options, io),
  );
}

async function printCalls(file: string, options: ParseCommandOptions, io: CliIo): Promise<void> {
  const format = options.format ?? 'auto';
  await assertFormat(format);
  const tools = options.tools === undefined ? undefined : await readTools(options.tools, io);
  const text = await readText(file, io);
  const { parseToolCalls } = await import('../../../pkg/toolparse/parse-tool-calls.js');
  const result = parseToolCalls(text, { format, ...(tools ? { tools } : {}) });
  io.out(prettyJson(result as unknown as Json));
}

async function assertFormat(format: string): Promise<void> {
  const { listFormats } = await import('../../../pkg/toolparse/list-formats.js');
  const known = ['auto', ...listFormats().map(({ id }) => id)];
  if (known.includes(format)) return;
  const message = `There is no format "${format}" (${suggestName(format, known)})`;
  throw new ToolgateError('USER.ARGUMENT.INVALID', message);
}

async function readTools(file: string, io: CliIo): Promise<readonly OfferedTool[]> {
  const data = jsonOf(await readText(file, io));
  const isWorkflow = data === undefined || (isJsonObject(data) && ('steps' in data || 'states' in data));
  if (!isWorkflow) return offeredTools(data, file);
  const tools = await describeTools(await loadWorkflowFile(file, io.cwd), io.cwd);
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
