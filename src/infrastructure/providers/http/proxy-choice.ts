import { BlockList, isIP } from 'node:net';
import type { Environment } from './api-key.js';

/** The proxy that the environment names for this address, as other programs read these variables; nothing for none. */
export function proxyFromEnvironment(address: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  const scheme = protocol.slice(0, -1);
  const proxy = variable(env, `${scheme}_proxy`) ?? variable(env, 'all_proxy');
  if (proxy === undefined || isThisMachine(hostname)) return undefined;
  const place = { hostname, port: port || (scheme === 'https' ? '443' : '80') };
  const exceptions = (variable(env, 'no_proxy') ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  if (exceptions.some((entry) => isMeant(entry, place))) return undefined;
  return /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** What is wrong with a proxy from a file, or from the environment; it is not told itself, since it may hold a password. */
export function proxyProblem(proxy: string, isFromFile: boolean): string | undefined {
  const place = isFromFile ? '' : "comes from the environment's HTTPS_PROXY or its kin, which ";
  if (!/^https?:\/\/[^/]/i.test(proxy) || !URL.canParse(proxy))
    return `${place}must be like http://proxy.example.com:3128, or https:; other proxies are not spoken to`;
  const { username, password } = new URL(proxy);
  if (!isDecodable(username + password)) return `${place}has a % in its password that must be written %25`;
  if (!isFromFile || username + password === '') return undefined;
  return 'must not hold a name or a password: put it into HTTPS_PROXY in the environment';
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Written in small letters, which go first, or in capitals. */
function variable(env: Environment, name: string): string | undefined {
  const values = [name, name.toUpperCase()].map((key) => (Object.hasOwn(env, key) ? env[key]?.trim() : ''));
  return values.find((value) => value !== undefined && value !== '');
}

/** What is on this machine is never asked of another one. */
function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** An entry is a name, which stands for all below it as well (`.name` and `*.name` too), an address, or `*`; a port may follow. Or a range. */
function isMeant(entry: string, { hostname, port }: { hostname: string; port: string }): boolean {
  if (entry === '*' || isInRange(hostname, entry)) return true;
  const [, name = '', onlyPort = port] = /^(.*?)(?::(\d+))?$/.exec(withBrackets(entry.toLowerCase())) ?? [];
  const base = name.replace(/^\*?\./, '');
  return onlyPort === port && base !== '' && (hostname === base || hostname.endsWith(`.${base}`));
}

/** Whether an address is in a range such as `10.0.0.0/8`. */
function isInRange(hostname: string, entry: string): boolean {
  const [, start = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(start);
  if (version === 0 || isIP(address) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(start, Number(bits), family);
  return range.check(address, family);
}

/** An IPv6 address as URLs write it. */
function withBrackets(entry: string): string {
  return /^[\da-f]*:[\da-f:]*:[\da-f:]*$/.test(entry) ? `[${entry}]` : entry;
}
