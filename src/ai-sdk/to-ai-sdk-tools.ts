import type { ToolSet } from 'ai';
import type { Container } from 'inversify';
import type { GatedRun, ToolGateway } from '../application/tool-gateway.js';
import { suggestName } from '../domain/closest.js';
import { ToolgateError } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { StepState } from '../domain/step-state.js';
import type { InputValues, ToolOptions, Workflow } from '../domain/workflow.js';
import { TOKENS } from '../ports/tokens.js';
import type { ToolEntry } from '../ports/tool-executor.js';

export interface AiSdkToolRequest {
  /** Whose tools they are; without one there are the handlers that were bound, each of which asks. */
  readonly workflow?: Workflow;
  readonly inputs?: InputValues;
  /** Absolute, without links; the current directory when left out. */
  readonly workspace?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Names of the tools that are given; all of them when left out. */
  readonly only?: readonly string[];
  readonly limits?: Partial<ToolOptions>;
  /** Ends every call, and lets no other begin. */
  readonly signal?: AbortSignal;
}

/** Our tools for somebody else's loop, and the run that their calls are recorded in. */
export interface AiSdkTools extends AsyncDisposable {
  readonly tools: ToolSet;
  readonly runId: string;
  /** Ends what is under way and the run. The state lists every call and its result. */
  close(): Promise<StepState>;
}

const NO_WORKFLOW: Workflow = {
  name: 'ai-sdk',
  version: '',
  inputs: [],
  onUnavailable: 'deny',
  tools: [],
  steps: [],
  hash: '',
};

/**
 * Gives a container's tools to `generateText`, `streamText` or an agent of the AI SDK. Each call goes through the same
 * gate as in our own loop: validated, decided, asked about, sandboxed, limited and recorded. A call that fails or is
 * denied throws, which the AI SDK tells its model as the tool's error.
 */
export async function toAiSdkTools(
  container: Container,
  request: AiSdkToolRequest = {},
): Promise<AiSdkTools> {
  const { workflow = NO_WORKFLOW, inputs = {}, workspace = process.cwd(), env = process.env } = request;
  const { signal = new AbortController().signal, limits, only } = request;
  const gateway = container.get<ToolGateway>(TOKENS.ToolGateway);
  const opened = await gateway.open({ workflow, inputs, workspace, env }, { signal });
  try {
    const entries = chosen(opened.entries, only);
    const startedWith = { loop: 'ai-sdk' };
    const run = await opened.begin({
      step: 'ai-sdk',
      tools: entries,
      startedWith,
      signal,
      ...(limits ? { limits } : {}),
    });
    const tools = await toolSet(entries, run);
    const close = async (): Promise<StepState> => run.close().finally(() => opened.close());
    const dispose = async (): Promise<void> => void (await close());
    return { tools, runId: run.runId, close, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function chosen(entries: readonly ToolEntry[], only: readonly string[] | undefined): readonly ToolEntry[] {
  if (!only) return entries;
  const known = new Map(entries.map((entry) => [entry.handler.tool.name, entry]));
  return only.map((name) => {
    const entry = known.get(name);
    if (entry) return entry;
    const message = `There is no tool "${name}" (${suggestName(name, [...known.keys()])})`;
    throw new ToolgateError('USER.TOOL.UNKNOWN', message);
  });
}

async function toolSet(entries: readonly ToolEntry[], run: GatedRun): Promise<ToolSet> {
  const { jsonSchema } = await import('ai');
  const tools = entries.map(({ handler: { tool } }) => {
    const execute = (input: unknown, { toolCallId, abortSignal }: CallOptions) =>
      answer(run, { id: toolCallId, tool: tool.name, arguments: input as Json }, abortSignal);
    // Without a check of its own: the gate checks, and its words are written for models.
    const inputSchema = jsonSchema(tool.parameters as Parameters<typeof jsonSchema>[0]);
    return [tool.name, { description: tool.description, inputSchema, execute }] as const;
  });
  return Object.fromEntries(tools);
}

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
}

interface Asked {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
}

async function answer(
  { calls }: GatedRun,
  call: Asked,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const { record, text } = await calls.call(call, { signal, agent: 'ai-sdk' });
  const { error } = record.result;
  if (error) throw new ToolgateError(error.code, text);
  return text;
}
