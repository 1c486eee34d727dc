/** A host and a port, in the one form in which they are compared. */
export interface HostAndPort {
  /** Lower case, punycode, no brackets, no trailing dot. */
  readonly host: string;
  readonly port: number;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ADDRESS_4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

const DEFAULT_PORTS = [80, 443];

/**
 * Whether an entry of a list covers a host: `example.org` itself, `*.example.org` all below it but not itself, `*`
 * every name. An address has to be listed as such. Without a port only 80 and 443 are meant.
 */
export function coversHost(entry: string, target: HostAndPort): boolean {
  return coversEntry(readHostEntry(entry), target);
}

/** The same for an entry that was read before. */
export function coversEntry(entry: HostEntry, target: HostAndPort): boolean {
  return entry.ports.includes(target.port) && namesEntry(entry, target);
}

/** Whether an entry would cover a host if its port did not count. */
export function namesHost(entry: string, target: Pick<HostAndPort, 'host'>): boolean {
  return namesEntry(readHostEntry(entry), target);
}

/** The same for an entry that was read before. */
function namesEntry({ pattern }: HostEntry, { host }: Pick<HostAndPort, 'host'>): boolean {
  if (pattern === host) return true;
  if (isAddress(host)) return false;
  if (pattern === '*') return true;
  if (!pattern.startsWith('*.')) return false;
  const parent = pattern.slice(1);
  return host.endsWith(parent) && host.length > parent.length;
}

/** The same for rules that hold back: a port or an address that nobody thought of is no way around one. */
export function couldMeanEntry(entry: HostEntry, target: HostAndPort): boolean {
  if (entry.hasPort && !entry.ports.includes(target.port)) return false;
  return entry.pattern === '*' || namesEntry(entry, target);
}

/** Whether an entry of a list of private hosts means this one; there a port need not be given. */
export function meansHost(entry: string, target: HostAndPort): boolean {
  const { pattern, hasPort } = readHostEntry(entry);
  if (pattern === '*') return false;
  return coversHost(hasPort ? entry : `${bracketed(pattern)}:${target.port}`, target);
}

/** The patterns of all entries that could mean a host: itself, what covers its parents, and `*`. */
export function hostKeys({ host }: Pick<HostAndPort, 'host'>): readonly string[] {
  const labels = host.split('.');
  const parents = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
  return [host, ...parents, '*'];
}

/** An entry of a list, in the form in which hosts are compared. */
export interface HostEntry {
  readonly pattern: string;
  readonly ports: readonly number[];
  readonly hasPort: boolean;
}

export function readHostEntry(entry: string): HostEntry {
  const text = entry.trim().toLowerCase();
  const withPort = isAddress6(text) ? null : /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text);
  const host = canonicalHost(withPort?.[1] ?? text);
  const ports = withPort ? [Number(withPort[2])] : DEFAULT_PORTS;
  return { pattern: host, ports, hasPort: withPort !== null };
}

/** The same form that a URL's host has once it is parsed, so that both can be compared as text. */
function canonicalHost(host: string): string {
  const isWildcard = host.startsWith('*.');
  const bare = plainHost(isWildcard ? host.slice(2) : host);
  if (bare === '*' || bare === '' || /[/?#@%\\\s]/.test(bare)) return bare === '*' ? bare : '';
  const canonical = plainHost(parseHost(bracketed(bare)));
  return isWildcard && canonical !== '' ? `*.${canonical}` : canonical;
}

/** A URL's host without brackets and without the dot that some names end in. */
export function plainHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** The address that another one only wraps: `::ffff:7f00:1` is 127.0.0.1. */
export function unwrappedHost(host: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const words = [high, low].map((word) => Number.parseInt(word, 16));
  return words.flatMap((word) => [word >> 8, word & 0xff]).join('.');
}

function bracketed(host: string): string {
  return isAddress6(host) ? `[${host}]` : host;
}

function parseHost(host: string): string {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return '';
  }
}

function isAddress(host: string): boolean {
  return ADDRESS_4.test(host) || isAddress6(host);
}

/** What can stand in the brackets of a URL. */
function isAddress6(text: string): boolean {
  return /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]/`);
}
