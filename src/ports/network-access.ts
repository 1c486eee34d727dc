import type { Permissions } from '../domain/restrictions.js';

/** A URL whose host may be reached, with the addresses that were checked: connect to these, never look up again. */
export interface AllowedTarget {
  readonly url: URL;
  readonly addresses: readonly { readonly address: string; readonly family: 4 | 6 }[];
}

/** Hosts, within a tool's permissions. Refuses with a DeniedError, before any connection is made. */
export interface NetworkAccess {
  allow(
    url: string,
    permissions: Permissions,
    context: { readonly signal: AbortSignal },
  ): Promise<AllowedTarget>;
}
