import type { Container } from 'inversify';
import type { Emit } from '../application/events.js';
import { serveGateway } from '../application/serve-gateway.js';
import type { GatewayRequest, OpenedGateway, ToolGateway } from '../application/tool-gateway.js';
import { suggestName } from '../domain/closest.js';
import { ToolgateError } from '../domain/errors.js';
import type { ToolOptions } from '../domain/workflow.js';
import type { ApprovalGate } from '../ports/approval-gate.js';
import { TOKENS } from '../ports/tokens.js';
import type { ToolEntry } from '../ports/tool-executor.js';
import type { HttpOptions, ServeContext, ServedStreams, ToolServer } from '../ports/tool-server.js';

/** Where clients come from: one on a pair of streams (the process's own unless told), or many over HTTP. */
export type ServeTransport =
  | ({ readonly kind: 'stdio' } & Partial<ServedStreams>)
  | ({ readonly kind: 'http' } & HttpOptions);

export interface ServeToolsOptions extends Omit<GatewayRequest, 'env'>, ServeContext {
  /** Wired as for a run: its journal records the calls, its approval gate is asked about them. */
  readonly container: Container;
  readonly transport: ServeTransport;
  readonly env?: GatewayRequest['env'];
  /** Those that clients get; all if left out. */
  readonly tools?: readonly string[];
  /** For each client; `maxCalls` is 1,000 unless told. */
  readonly limits?: Partial<ToolOptions>;
  /** Asks the client itself, if it can be asked, instead of the container's gate. A client that answers by itself approves its own calls. */
  readonly trustClientApprovals?: boolean;
  readonly onEvent?: Emit;
}

export interface Serving {
  /** Where it listens and what a client must show; only over HTTP. */
  readonly http?: { readonly url: string; readonly token: string };
  /** Resolves when the last client has gone, or the signal ended it, and nothing is left running. */
  readonly ended: Promise<void>;
}

/** Serves a workflow's tools to MCP clients, every call through the gate. Resolves when it is ready. */
export async function serveTools(options: ServeToolsOptions): Promise<Serving> {
  const { container, signal, log, workflow, limits, onEvent, env = process.env } = options;
  const server = container.get<ToolServer>(TOKENS.ToolServer);
  if (options.trustClientApprovals) trustClients(container, server);
  const gateway = await container.get<ToolGateway>(TOKENS.ToolGateway).open({ ...options, env }, { signal });
  const tools = pick(gateway, options.tools);
  for (const { handler, heldBack } of tools) {
    if (heldBack) log(`warning: ${handler.tool.name} is held back: ${heldBack.why}; see \`toolgate mcp\``);
  }
  const served = serveGateway(gateway, {
    workflow,
    tools,
    signal,
    ...(limits ? { limits } : {}),
    ...(onEvent ? { emit: onEvent } : {}),
  });
  const closing = (ended: Promise<void>): Promise<void> => ended.finally(() => gateway.close());
  const { transport } = options;
  if (transport.kind === 'stdio') {
    return { ended: closing(server.serveStream(served, { ...ownStreams(), ...transport }, { signal, log })) };
  }
  try {
    const { url, token, ended } = await server.serveHttp(served, transport, { signal, log });
    return { http: { url, token }, ended: closing(ended) };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** Before anything is made that would hold on to the gate as it was. */
function trustClients(container: Container, server: ToolServer): void {
  const next = container.get<ApprovalGate>(TOKENS.ApprovalGate);
  container.rebind<ApprovalGate>(TOKENS.ApprovalGate).toConstantValue(server.clientApprovals(next));
}

function pick({ entries }: OpenedGateway, names: readonly string[] | undefined): readonly ToolEntry[] {
  if (!names) return entries;
  return names.map((name) => {
    const entry = entries.find(({ handler }) => handler.tool.name === name);
    if (entry) return entry;
    const known = entries.map(({ handler }) => handler.tool.name);
    const message = `The workflow has no tool "${name}" to serve (${suggestName(name, known)})`;
    throw new ToolgateError('USER.TOOL.UNKNOWN', message);
  });
}

function ownStreams(): ServedStreams {
  return { input: process.stdin, write: (text) => void process.stdout.write(text) };
}
