import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { Permissions } from '../../domain/restrictions.js';
import type { Tool } from '../../domain/tool.js';
import type { McpServerDeclaration } from '../../domain/workflow.js';
import type { NetworkAccess } from '../../ports/network-access.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { ToolEntry } from '../../ports/tool-executor.js';
import type { ToolSource, ToolSourceRequest } from '../../ports/tool-source.js';
import { loadSdk } from './load-sdk.js';
import { openWay } from './open-way.js';
import { entryNow, type RemoteEntry, remoteEntries } from './remote-entries.js';
import { RemoteServer } from './remote-server.js';
import { ServerConnection } from './server-connection.js';
import { approvedPins, serverKey, type ToolPins } from './tool-pins.js';

export interface McpToolSourceOptions {
  /** Where all other tools come from. */
  readonly next: ToolSource;
  readonly sandbox: Sandbox;
  readonly network: NetworkAccess;
  /** Where what was approved is kept; throws where an agent of this workspace could write it. */
  readonly pinsFor: (workspace: string) => Promise<ToolPins>;
  /** The same server with its program as it is found on this machine. */
  readonly located: (server: McpServerDeclaration, request: ToolSourceRequest) => McpServerDeclaration;
  /** Throws for a tool whose schema no call could be checked by. */
  readonly prepare: (tool: Tool) => void;
  /** What a server may do, worked out as for a tool. */
  readonly permissionsOf: (server: McpServerDeclaration, request: ToolSourceRequest) => Permissions;
}

const START_TIMEOUT_MS = 30_000;
const STARTED_HINT =
  'it sees its own program only: what else it needs, give it with `restrictions.paths` and `restrictions.hosts`';

/** Tools of MCP servers, beside all others: each server is started or reached when the tools are opened. */
export class McpToolSource implements ToolSource {
  readonly #servers = new WeakMap<readonly ToolEntry[], readonly RemoteServer[]>();
  readonly #remotes = new WeakMap<ToolEntry, RemoteEntry>();

  constructor(private readonly options: McpToolSourceOptions) {}

  async open(
    request: ToolSourceRequest,
    context: { readonly signal: AbortSignal },
  ): Promise<readonly ToolEntry[]> {
    const { next } = this.options;
    const others = await next.open(request, context);
    const { servers = [] } = request;
    if (servers.length === 0) return others;
    const opened: RemoteServer[] = [];
    try {
      const pins = await this.options.pinsFor(request.workspace);
      const joined = await this.#join(servers, { request, signal: context.signal, opened, pins });
      for (const remote of joined) this.#remotes.set(remote.entry, remote);
      const all = [...others, ...joined.map(({ entry }) => entry)];
      checkNames(all);
      this.#servers.set(all, opened);
      return all;
    } catch (error) {
      await Promise.all(opened.map((server) => server.close()));
      await next.close?.(others);
      throw error;
    }
  }

  watch(entries: readonly ToolEntry[], listener: (now: readonly ToolEntry[]) => void): () => void {
    const tell = (): void => listener(entries.flatMap((entry) => this.#now(entry)));
    const servers = this.#servers.get(entries) ?? [];
    const stops = servers.map((server) => server.offered.watch(tell));
    return () => {
      for (const stop of stops) stop();
    };
  }

  async close(entries: readonly ToolEntry[]): Promise<void> {
    const servers = this.#servers.get(entries) ?? [];
    await Promise.allSettled(servers.map((server) => server.close()));
    await this.options.next.close?.(entries);
  }

  #now(entry: ToolEntry): readonly ToolEntry[] {
    const remote = this.#remotes.get(entry);
    return remote ? entryNow(remote) : [entry];
  }

  /** All at once, since each takes its time to start; all problems are told together. */
  async #join(servers: readonly McpServerDeclaration[], opening: Opening): Promise<readonly RemoteEntry[]> {
    const settled = await Promise.allSettled(servers.map((server) => this.#entriesOf(server, opening)));
    const problems = settled.flatMap((one, index) =>
      one.status === 'rejected' ? [{ error: one.reason as unknown, name: servers[index]?.name ?? '' }] : [],
    );
    const [first] = problems;
    if (first) {
      const text = problems.map(problemText).join('\n');
      const code = first.error instanceof ToolgateError ? first.error.code : 'EXECUTION.TOOL.FAILED';
      throw new ToolgateError(code, text, { cause: first.error });
    }
    return settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  }

  async #entriesOf(written: McpServerDeclaration, opening: Opening): Promise<readonly RemoteEntry[]> {
    const { request, signal, opened } = opening;
    const declared = this.options.located(written, request);
    const permissions = this.options.permissionsOf(declared, request);
    const server = await this.#open(declared, opening, permissions);
    opened.push(server);
    signal.throwIfAborted();
    const { workspace, serverChanges: changes } = request;
    const { tools } = server;
    const key = serverKey(written, workspace);
    const pins = await approvedPins(opening.pins, key, { tools, ...(changes ? { changes } : {}) });
    return remoteEntries({ declared, server, pins, permissions, request, prepare: this.options.prepare });
  }

  async #open(
    declared: McpServerDeclaration,
    { request, signal }: Opening,
    permissions: Permissions,
  ): Promise<RemoteServer> {
    const { sandbox, network } = this.options;
    const { workspace, onUnavailable = 'deny', inputs = {}, env = {} } = request;
    const sdk = await loadSdk();
    const scope = { inputs, env };
    const parts = { sdk, sandbox, network, permissions, workspace, onUnavailable, scope, signal };
    const { name } = declared;
    const isReached = declared.transport.type === 'http';
    const connect = () =>
      ServerConnection.open({
        sdk,
        name,
        signal,
        startTimeoutMs: START_TIMEOUT_MS,
        open: (said) => openWay(declared, parts, said),
        ...(isReached ? {} : { hint: STARTED_HINT }),
      });
    return RemoteServer.open({ name, connect, signal, isReached });
  }
}

interface Opening {
  readonly request: ToolSourceRequest;
  readonly signal: AbortSignal;
  readonly opened: RemoteServer[];
  readonly pins: ToolPins;
}

function problemText({ name, error }: { readonly name: string; readonly error: unknown }): string {
  const message = messageOf(error);
  return message.startsWith(`The MCP server "${name}"`) ? message : `The MCP server "${name}": ${message}`;
}

function checkNames(entries: readonly ToolEntry[]): void {
  const names = new Set<string>();
  for (const { handler } of entries) {
    const { name } = handler.tool;
    if (names.has(name)) {
      const message = `Two tools come to the name "${name}"; leave one out with the server's \`tools\`, or rename the server`;
      throw new ToolgateError('WORKFLOW.VALIDATION.DUPLICATE', message);
    }
    names.add(name);
  }
}
