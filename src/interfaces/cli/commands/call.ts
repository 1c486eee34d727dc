import type { Command } from 'commander';
import type { CallRunner } from '../../../application/call-runner.js';
import type { OrchestratorEvent } from '../../../application/events.js';
import { resultToJson } from '../../../application/state-json.js';
import { createContainer } from '../../../container.js';
import type { ToolResult } from '../../../domain/tool-result.js';
import { toVisible } from '../../../domain/visible-text.js';
import { TOKENS } from '../../../ports/tokens.js';
import { type ApprovalsOptions, addApprovals } from '../approvals/approvals-option.js';
import { withApprovals } from '../approvals/with-approvals.js';
import { approvedTools } from '../approved-tools.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { EXIT } from '../exit-code.js';
import { openWorkflow } from '../open-workflow.js';
import {
  type ApprovalOptions,
  addApproval,
  addDurability,
  addExamples,
  addInputs,
  addOutputFormat,
  addWorkspace,
  type DurabilityOptions,
  type InputOptions,
  type OutputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { eventToJson } from '../output/event-json.js';
import { compactJson, prettyJson } from '../output/json-text.js';
import { UNANSWERED_ADVICE } from '../output/progress-lines.js';
import type { Redactors } from '../output/run-reporter.js';
import { readText } from '../read-bounded.js';
import { redactorsOf } from '../redactors.js';
import { warningsFor } from '../sandbox-warning.js';

interface CallOptions
  extends OutputOptions,
    ApprovalsOptions,
    InputOptions,
    WorkspaceOptions,
    ApprovalOptions,
    DurabilityOptions {
  readonly args: string;
}

export function defineCall(command: Command, { io, exit }: CommandHost): void {
  command.option('--args <json>', 'the arguments as a JSON object; - reads them from standard input', '{}');
  addInputs(command);
  addWorkspace(command);
  addApproval(command);
  addApprovals(command, 'now');
  addDurability(command);
  addOutputFormat(command, ['text', 'json', 'stream-json']);
  addExamples(command, `toolgate call workflow.yaml read_file --args '{"path":"README.md"}'`);
  command.action(async (file: string, tool: string, options: CallOptions) =>
    exit(await callTool({ file, tool, options }, io)),
  );
}

async function callTool(
  { file, tool, options }: { readonly file: string; readonly tool: string; readonly options: CallOptions },
  io: CliIo,
): Promise<number> {
  const opened = await openWorkflow(file, options, io);
  const { workflow, inputs, workspace } = opened;
  const approve = approvedTools(options, workflow);
  // As text, the way a model sends it: the validator parses it, and sees a key that is there twice.
  const args = options.args === '-' ? await readText('-', io) : options.args;
  return withApprovals(options.approvals ?? 'terminal', io, async (approvals) => {
    const container = await createContainer({ journal: 'file', workspace, approve, approvals });
    const signal = io.interruption();
    const redactors = redactorsOf(workflow, inputs, io);
    const called = { ...workflow, tools: workflow.tools.filter(({ name }) => name === tool) };
    for (const warning of await warningsFor(called, container, signal)) io.err(`warning: ${warning}\n`);
    const { durability } = options;
    const request = { ...opened, env: io.env, tool, arguments: args, durability };
    const run = container.get<CallRunner>(TOKENS.CallRunner).run(request, { signal });
    const isStream = options.outputFormat === 'stream-json';
    const result = await lastOf(run, (event) => showEvent(event, { io, redactors, isStream }));
    const data = redactors.data.json(resultToJson(result));
    io.out(isStream ? compactJson({ type: 'result', ...(data as object) }) : prettyJson(data));
    if (result.error?.code === 'EXECUTION.APPROVAL.UNAVAILABLE') io.err(`${UNANSWERED_ADVICE}\n`);
    if (signal.aborted) return EXIT.interrupted;
    return result.success ? EXIT.success : EXIT.execution;
  });
}

async function lastOf(
  run: AsyncGenerator<OrchestratorEvent, ToolResult, void>,
  show: (event: OrchestratorEvent) => void,
): Promise<ToolResult> {
  let next = await run.next();
  for (; !next.done; next = await run.next()) show(next.value);
  return next.value;
}

function showEvent(
  event: OrchestratorEvent,
  {
    io,
    redactors,
    isStream,
  }: { readonly io: CliIo; readonly redactors: Redactors; readonly isStream: boolean },
): void {
  if (isStream) io.out(compactJson(redactors.data.json(eventToJson(event))));
  else if (event.type === 'call-log') io.err(`${toVisible(redactors.people.text(event.message))}\n`);
}
