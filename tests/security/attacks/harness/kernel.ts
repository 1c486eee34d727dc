import { readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createContainer } from '../../../../src/container.js';
import { NO_PERMISSIONS } from '../../../../src/domain/restrictions.js';
import {
  type AddressLookup,
  GuardedNetworkAccess,
} from '../../../../src/infrastructure/sandbox/guarded-network-access.js';
import type { NetworkAccess } from '../../../../src/ports/network-access.js';
import type { Sandbox } from '../../../../src/ports/sandbox.js';
import { TOKENS } from '../../../../src/ports/tokens.js';

let shared: Promise<Sandbox> | undefined;
let lookup: AddressLookup = async () => [];

/**
 * The kernel's sandbox as toolgate binds it by default, in the network of one attack. One for all attacks of a file:
 * trying it out takes time.
 */
export function kernelSandbox(internet: { readonly lookup: AddressLookup }): Promise<Sandbox> {
  lookup = internet.lookup;
  shared ??= openSandbox();
  return shared;
}

/** Ends what waits for further calls. */
export async function closeKernelSandbox(): Promise<void> {
  const sandbox = (await shared) as (Sandbox & { close?(): Promise<void> }) | undefined;
  shared = undefined;
  await sandbox?.close?.();
}

async function openSandbox(): Promise<Sandbox> {
  const container = await createContainer();
  const network = new GuardedNetworkAccess({ lookup: (host) => lookup(host) });
  container.rebind<NetworkAccess>(TOKENS.NetworkAccess).toConstantValue(network);
  const sandbox = container.get<Sandbox>(TOKENS.Sandbox);
  const problem = await looseness(sandbox);
  if (problem) throw new Error(`the attacks are not run, for they would hit this machine: ${problem}`);
  return sandbox;
}

const LOOK = [
  'readlink /proc/self/ns/pid /proc/self/ns/mnt /proc/self/ns/net',
  "sed -n 's/^CapEff:\\t//p' /proc/self/status",
  'test -w /proc/sysrq-trigger && echo writable || echo covered',
].join('; ');

/** Some attacks kill every process they see, or restart the machine: first it is made sure that they see none of it. */
async function looseness(sandbox: Sandbox): Promise<string | undefined> {
  const { kernel, enforcement } = await sandbox.probe({ signal: AbortSignal.timeout(20_000) });
  if (!kernel) return `there is no kernel layer: ${enforcement.reasons.join(', ')}`;
  const permissions = { ...NO_PERMISSIONS, commands: 'any' } as const;
  const policy = { workspace: tmpdir(), permissions, onUnavailable: 'deny' } as const;
  const plan = await sandbox.plan(policy, { kind: 'command-line', commandLine: LOOK });
  const { output } = await sandbox.run(plan, { signal: AbortSignal.timeout(20_000) });
  const [pid, mnt, net, capabilities, trigger] = output.trim().split('\n');
  const isOwn = (name: string, seen: string | undefined) =>
    seen?.startsWith(`${name}:[`) && seen !== readlinkSync(`/proc/self/ns/${name}`);
  const isHeld = isOwn('pid', pid) && isOwn('mnt', mnt) && isOwn('net', net);
  return isHeld && /^0+$/.test(capabilities ?? '') && trigger === 'covered' ? undefined : output;
}
