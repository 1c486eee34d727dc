import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DeniedError, messageOf, ToolgateError } from '../../domain/errors.js';
import type { Permissions } from '../../domain/restrictions.js';
import { coversHost, type HostAndPort, meansHost, namesHost } from '../../domain/rules/host-patterns.js';
import type { AllowedTarget, NetworkAccess } from '../../ports/network-access.js';
import { isGlobalAddress, isListedAddress } from './address-ranges.js';
import { readUrl } from './url-reader.js';

type Address = AllowedTarget['addresses'][number];

/** Finds every address of a name. */
export type AddressLookup = (host: string) => Promise<readonly { address: string; family: number }[]>;

/**
 * Hosts by name and by address: a name must be listed, and every address it has must be a public one or one that
 * is meant. Whoever connects goes to these addresses, so that a second answer of the DNS changes nothing.
 */
export class GuardedNetworkAccess implements NetworkAccess {
  readonly #lookup: AddressLookup;

  constructor(options: { readonly lookup?: AddressLookup } = {}) {
    this.#lookup = options.lookup ?? ((host) => systemLookup(host, { all: true, verbatim: true }));
  }

  async allow(
    text: string,
    permissions: Permissions,
    context: { readonly signal: AbortSignal },
  ): Promise<AllowedTarget> {
    const { url, target } = readUrl(text);
    checkListed(target, permissions);
    const addresses = await this.#addressesOf(target, permissions, context.signal);
    checkAddresses(target, addresses, permissions);
    return Object.freeze({ url, addresses: Object.freeze(addresses) });
  }

  async #addressesOf(
    target: HostAndPort,
    permissions: Permissions,
    signal: AbortSignal,
  ): Promise<readonly Address[]> {
    const family = isIP(target.host);
    if (family !== 0) return [{ address: target.host, family: family === 4 ? 4 : 6 }];
    // The name says it, whatever a resolver would answer.
    if (/(?:^|\.)localhost$/.test(target.host) && !meansLoopback(target, permissions)) {
      throw notPublic(target, 'this machine');
    }
    const found = await this.#lookUp(target.host, signal);
    return found.map(({ address }) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
  }

  async #lookUp(host: string, signal: AbortSignal): ReturnType<AddressLookup> {
    signal.throwIfAborted();
    const { promise: aborted, stop } = rejectOnAbort(signal);
    try {
      const found = await Promise.race([this.#lookup(host), aborted]);
      if (found.length > 0) return found;
    } catch (error) {
      signal.throwIfAborted();
      throw new ToolgateError(
        'EXECUTION.TOOL.FAILED',
        `The host "${host}" was not found: ${messageOf(error)}`,
      );
    } finally {
      stop();
    }
    throw new ToolgateError('EXECUTION.TOOL.FAILED', `The host "${host}" has no address`);
  }
}

function checkListed(target: HostAndPort, { hosts }: Permissions): void {
  if (hosts.some((entry) => coversHost(entry, target))) return;
  const listed = hosts.length === 0 ? 'none is listed' : `listed: ${hosts.join(', ')}`;
  throw new DeniedError(
    `"${target.host}" on port ${target.port} is refused: ${whyNotListed(target, hosts)} (${listed})`,
  );
}

function whyNotListed(target: HostAndPort, hosts: readonly string[]): string {
  if (hosts.some((entry) => namesHost(entry, target))) {
    const entry = isIP(target.host) === 6 ? `[${target.host}]` : target.host;
    return `the host is listed, but not with this port; if it is meant, list it as "${entry}:${target.port}"`;
  }
  const hint = isIP(target.host) === 0 ? '' : '; an address must be listed as such';
  return `it is not one of the hosts this tool may reach${hint}`;
}

/** One address that is not public is enough: which one a connection takes is not ours to say. */
function checkAddresses(target: HostAndPort, addresses: readonly Address[], permissions: Permissions): void {
  if (isMeant(target, permissions)) return;
  const odd = addresses.find(
    ({ address }) => !isGlobalAddress(address) && !isListedAddress(address, permissions.privateHosts),
  );
  if (odd) throw notPublic(target, odd.address);
}

function isMeant(target: HostAndPort, { privateHosts }: Permissions): boolean {
  return privateHosts.some((entry) => meansHost(entry, target));
}

function meansLoopback(target: HostAndPort, permissions: Permissions): boolean {
  const isListed = (address: string) => isListedAddress(address, permissions.privateHosts);
  return isMeant(target, permissions) || isListed('127.0.0.1') || isListed('::1');
}

function notPublic({ host }: HostAndPort, address: string): DeniedError {
  const where = host === address ? 'it is' : `it leads to ${address},`;
  return new DeniedError(
    `"${host}" is refused: ${where} not a public address; if it is meant, list it under private_hosts`,
  );
}

function rejectOnAbort(signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } {
  let stop = () => {};
  const promise = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  return { promise, stop };
}
