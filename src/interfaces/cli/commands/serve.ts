import { type Command, InvalidArgumentError } from 'commander';
import { type ServeTransport, serveTools } from '../../../container/serve-tools.js';
import { createContainer } from '../../../container.js';
import { ToolgateError } from '../../../domain/errors.js';
import { toVisible } from '../../../domain/visible-text.js';
import type { ToolOptions, Workflow } from '../../../domain/workflow.js';
import { type ApprovalsOptions, addApprovals } from '../approvals/approvals-option.js';
import { withApprovals } from '../approvals/with-approvals.js';
import { approvedTools } from '../approved-tools.js';
import { attach } from '../attach.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { EXIT } from '../exit-code.js';
import { openWorkflow } from '../open-workflow.js';
import {
  type ApprovalOptions,
  addApproval,
  addDurability,
  addExamples,
  addInputs,
  addWorkspace,
  type DurabilityOptions,
  type InputOptions,
  type WorkspaceOptions,
} from '../options.js';
import { redactorsOf } from '../redactors.js';
import { warningsFor } from '../sandbox-warning.js';

interface ServeOptions
  extends InputOptions,
    WorkspaceOptions,
    ApprovalOptions,
    ApprovalsOptions,
    DurabilityOptions {
  readonly http?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly tokenEnv?: string;
  readonly step?: string;
  readonly maxCalls?: number;
  readonly trustClientApprovals?: true;
  readonly attach?: string;
}

export function defineServe(command: Command, { io, exit }: CommandHost): void {
  command
    .option(
      '--http <port>',
      'serve over HTTP instead of standard input and output; 0 takes a free port',
      portOf,
    )
    .option('--host <address>', 'the address to listen on, this machine only unless told')
    .option('--allow-host <name>', 'a name that HTTP clients reach this machine by; repeatable', collectHost)
    .option('--token-env <name>', 'the variable with the token that HTTP clients must show; else one is made')
    .option('--step <name>', "offer this step's tools only, within its limits")
    .option('--max-calls <number>', 'how many calls each client may make (default: 1000)', countOf);
  addInputs(command);
  addWorkspace(command);
  addApproval(command);
  addApprovals(command, 'now');
  command.option(
    '--trust-client-approvals',
    'ask the client instead, if it can ask its own person; it could answer by itself',
  );
  addDurability(command);
  command.option(
    '--attach <socket>',
    'only pass bytes on to a run that listens there, as its CLI agent does',
  );
  addExamples(command, 'toolgate serve workflow.yaml', 'toolgate serve workflow.yaml --http 8808');
  command.action(async (file: string | undefined, options: ServeOptions) =>
    exit(await serveOrAttach(file, options, io)),
  );
}

/** A client that goes waits about two seconds for us to go as well; one that pipes its calls in waits for answers. */
const LINGER_MS = 5_000;

async function serveOrAttach(file: string | undefined, options: ServeOptions, io: CliIo): Promise<number> {
  const { attach: socket } = options;
  if (socket !== undefined && file === undefined) return attach(socket, io);
  if (socket === undefined && file !== undefined) return serve(file, options, io);
  throw new ToolgateError('USER.ARGUMENT.INVALID', 'Give a workflow to serve, or --attach SOCKET alone');
}

async function serve(file: string, options: ServeOptions, io: CliIo): Promise<number> {
  const transport = transportOf(options, io);
  const opened = await openWorkflow(file, options, io);
  const { workflow, inputs, workspace } = opened;
  const approve = approvedTools(options, workflow);
  const terminal = transport.kind === 'stdio' ? 'controlling' : 'own';
  return withApprovals(options.approvals ?? 'terminal', io, async (approvals) => {
    const container = await createContainer({ journal: 'file', workspace, approve, approvals, terminal });
    const signal = io.interruption();
    for (const warning of await warningsFor(workflow, container, signal)) io.err(`warning: ${warning}\n`);
    const { people } = redactorsOf(workflow, inputs, io);
    const serving = await serveTools({
      ...opened,
      ...boundsOf(options, workflow),
      container,
      transport,
      env: io.env,
      durability: options.durability,
      signal,
      log: (message) => io.err(`${toVisible(people.text(message))}\n`),
      trustClientApprovals: options.trustClientApprovals ?? false,
    });
    if (serving.http) io.err(welcome(serving.http, options.tokenEnv));
    await serving.ended;
    return signal.aborted ? EXIT.interrupted : EXIT.success;
  });
}

/** A step's own tools and limits, if one is named; the flag beats the step. */
function boundsOf(
  { step, maxCalls }: ServeOptions,
  { steps }: Workflow,
): { readonly tools?: readonly string[]; readonly limits?: Partial<ToolOptions> } {
  const named = steps.find(({ name }) => name === step);
  if (step !== undefined && !named) {
    const known = steps.map(({ name }) => name).join(', ') || 'none';
    throw new ToolgateError(
      'USER.ARGUMENT.INVALID',
      `--step ${step}: the workflow has no such step (it has: ${known})`,
    );
  }
  const limits = { ...named?.toolOptions, ...(maxCalls === undefined ? {} : { maxCalls }) };
  return { limits, ...(named ? { tools: named.tools } : {}) };
}

function transportOf({ http, host, allowHost, tokenEnv }: ServeOptions, io: CliIo): ServeTransport {
  if (http === undefined) {
    if (host === undefined && allowHost === undefined && tokenEnv === undefined)
      return { kind: 'stdio', input: io.stdin, write: io.out, lingerMs: LINGER_MS };
    const message = '--host, --allow-host and --token-env are for --http PORT';
    throw new ToolgateError('USER.ARGUMENT.INVALID', message);
  }
  const token = tokenEnv === undefined ? undefined : io.env[tokenEnv];
  if (tokenEnv !== undefined && !token) {
    throw new ToolgateError(
      'USER.ARGUMENT.INVALID',
      `--token-env ${tokenEnv}: this variable is not set, or empty`,
    );
  }
  return {
    kind: 'http',
    port: http,
    ...(host === undefined ? {} : { host }),
    ...(allowHost ? { allowHosts: allowHost } : {}),
    ...(token ? { token } : {}),
  };
}

/** A token of the person's own is not repeated. */
function welcome(
  { url, token }: { readonly url: string; readonly token: string },
  tokenEnv?: string,
): string {
  const shown = tokenEnv === undefined ? token : `the value of ${tokenEnv}`;
  return `listening on ${url}\ntoken: ${shown}\n`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError('Expected a port from 0 to 65535.');
}

function collectHost(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count > 0) return count;
  throw new InvalidArgumentError('Expected a number of 1 or more.');
}
