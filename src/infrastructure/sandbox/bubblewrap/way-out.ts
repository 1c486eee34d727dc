import { realpathSync } from 'node:fs';
import type { Permissions } from '../../../domain/restrictions.js';
import type { NetworkAccess } from '../../../ports/network-access.js';
import { EgressProxy } from '../proxy/egress-proxy.js';
import { listenPrologue } from '../proxy/listen-script.js';
import { DESCRIPTORS } from './bwrap-arguments.js';
import type { SandboxProcess } from './sandbox-process.js';

/** Which hosts may be reached, and who says so. */
export interface HostPolicy {
  readonly network: NetworkAccess;
  readonly permissions: Permissions;
}

/** The way of one sandbox to its listed hosts: a proxy that serves a listener of the sandbox's own network. */
export class WayOut {
  readonly #proxy: EgressProxy;
  readonly #denials: string[] = [];

  constructor({ network, permissions }: HostPolicy) {
    const onDenied = (_host: string, reason: string) => void this.#denials.push(`network: ${reason}`);
    this.#proxy = new EgressProxy({ network, permissions, onDenied });
  }

  /** What the gate has to do first, for there to be a listener. */
  static prologue(): string {
    return listenPrologue({ node: realpathSync(process.execPath), channel: DESCRIPTORS.channel });
  }

  /** What the proxy refused so far, in words. */
  get denials(): readonly string[] {
    return this.#denials;
  }

  /** Takes the listener over while the gate is being set up; without one nothing may run. */
  async open(sandbox: SandboxProcess): Promise<void> {
    this.#proxy.serve(await sandbox.listener());
  }

  /** The listener keeps the network of a dead sandbox alive, so this belongs to its end. */
  async close(): Promise<void> {
    await this.#proxy.close();
  }
}
