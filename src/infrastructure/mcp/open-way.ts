import { type Enforcement, NOTHING_ENFORCED } from '../../domain/enforcement.js';
import { DeniedError, ToolgateError } from '../../domain/errors.js';
import type { Permissions } from '../../domain/restrictions.js';
import { renderTemplate, type TemplateScope } from '../../domain/template.js';
import type { McpServerDeclaration, OnUnavailable } from '../../domain/workflow.js';
import type { NetworkAccess } from '../../ports/network-access.js';
import type { Sandbox } from '../../ports/sandbox.js';
import { guardedFetch } from './guarded-fetch.js';
import { LineTransport } from './line-transport.js';
import type { McpSdk } from './load-sdk.js';
import type { Transport } from './sdk.js';
import type { ServerWay } from './server-connection.js';
import type { ServerSaid } from './server-said.js';

/** What a server is reached with. */
export interface WayParts {
  readonly sdk: McpSdk;
  readonly sandbox: Sandbox;
  readonly network: NetworkAccess;
  readonly permissions: Permissions;
  readonly workspace: string;
  readonly onUnavailable: OnUnavailable;
  readonly scope: TemplateScope;
  readonly signal: AbortSignal;
}

/** Opens the way to a server: its process in the sandbox, or its URL by checked addresses. */
export function openWay(server: McpServerDeclaration, parts: WayParts, said: ServerSaid): Promise<ServerWay> {
  const { transport } = server;
  return transport.type === 'stdio' ? startServer(transport, parts, said) : reachServer(transport, parts);
}

type Stdio = Extract<McpServerDeclaration['transport'], { type: 'stdio' }>;
type Http = Extract<McpServerDeclaration['transport'], { type: 'http' }>;

const NOT_ASKED =
  'the kernel cannot confine it here, and `on_unavailable: prompt` asks about calls, not about servers';

async function startServer({ command, args }: Stdio, parts: WayParts, said: ServerSaid): Promise<ServerWay> {
  const { sandbox, permissions, workspace, onUnavailable, scope, signal, sdk } = parts;
  if (!sandbox.start)
    throw new DeniedError('this sandbox starts no servers', 'EXECUTION.SANDBOX.UNAVAILABLE');
  const { kernel } = await sandbox.probe({ signal });
  // Nobody is there to be asked while tools are gathered.
  if (onUnavailable === 'prompt' && !kernel)
    throw new DeniedError(NOT_ASKED, 'EXECUTION.SANDBOX.UNAVAILABLE');
  const argv = [command, ...args].map((word) => renderTemplate(word, scope));
  // The list shows the kernel layer which program to show. It is no limit for a command that a person wrote whole.
  const allowed = kernel ? permissions : { ...permissions, commands: 'any' as const };
  const policy = Object.freeze({ workspace, permissions: allowed, onUnavailable });
  const plan = await sandbox.plan(policy, { kind: 'argv', argv });
  const service = await sandbox.start(plan, { signal, onErrorOutput: said.hear });
  const transport = new LineTransport(sdk, { input: service.output, write: (text) => service.write(text) });
  return { transport, enforcement: service.enforcement, close: () => service.stop() };
}

/** What such a server does is nobody's to hold; where it is, is checked here. */
const REACHED: Enforcement = { ...NOTHING_ENFORCED, backend: 'in-process', network: 'in-process' };

async function reachServer({ url, headers }: Http, parts: WayParts): Promise<ServerWay> {
  const { sdk, network, permissions, scope } = parts;
  const address = renderTemplate(url, scope);
  if (!URL.canParse(address))
    throw new ToolgateError('WORKFLOW.RESTRICTION.INVALID', `"${address}" is no URL`);
  const target = new URL(address);
  const filled = Object.entries(headers).map(([name, value]) => [name, renderTemplate(value, scope)]);
  const transport = new sdk.StreamableHTTPClientTransport(target, {
    requestInit: { headers: Object.fromEntries(filled) as Record<string, string> },
    fetch: guardedFetch(network, reaching(target, permissions)),
  });
  return { transport: transport as Transport, enforcement: REACHED, close: async () => undefined };
}

/** Whoever wrote the URL means its host, also where that is this machine. */
function reaching({ hostname, host, protocol }: URL, permissions: Permissions): Permissions {
  const port = host === hostname ? `:${protocol === 'https:' ? 443 : 80}` : host.slice(hostname.length);
  const meant = `${hostname}${port}`;
  const isWritten = hostname === 'localhost' || /^[\d.]+$|^\[/.test(hostname);
  return {
    ...permissions,
    hosts: [...permissions.hosts, meant],
    privateHosts: [...permissions.privateHosts, ...(isWritten ? [meant] : [])],
  };
}
