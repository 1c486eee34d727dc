import type { Permissions } from '../../../domain/restrictions.js';
import { isListedAddress } from '../address-ranges.js';
import { PROXY_PORT } from './listen-script.js';

const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * What tells programs to use the proxy. A server that a sandboxed program starts for itself is reached directly,
 * unless the host's own loopback is meant by that name.
 */
export function proxyVariables(
  permissions: Pick<Permissions, 'privateHosts'> = { privateHosts: LOOPBACK },
): Record<string, string> {
  const exempt = meansHostLoopback(permissions.privateHosts) ? '' : LOOPBACK.join(',');
  return {
    ...inBothCases({ HTTP_PROXY: PROXY_URL, HTTPS_PROXY: PROXY_URL, ALL_PROXY: PROXY_URL, NO_PROXY: exempt }),
    // Without it Node (24 and later) does not look at the others.
    NODE_USE_ENV_PROXY: '1',
  };
}

function meansHostLoopback(privateHosts: readonly string[]): boolean {
  return privateHosts.some(
    (entry) =>
      /localhost|^127\.|::1/i.test(entry) ||
      isListedAddress('127.0.0.1', [entry]) ||
      isListedAddress('::1', [entry]),
  );
}

/** There is no agreement on which case counts: curl reads only `http_proxy`, others only `HTTP_PROXY`. */
function inBothCases(variables: Readonly<Record<string, string>>): Record<string, string> {
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lower) };
}
