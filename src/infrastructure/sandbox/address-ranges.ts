import { BlockList, isIP } from 'node:net';

/** Every range that is not the public internet. Mapped and translated forms are unwrapped before. */
const NOT_GLOBAL_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

// NAT64, 6to4 and Teredo carry an IPv4 address that somebody on the way unwraps: none of them is trusted.
const NOT_GLOBAL_6 = [
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '100:0:0:1::/64'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

let table: BlockList | undefined;

/** Whether an address belongs to the public internet; what cannot be read does not. */
export function isGlobalAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  table ??= createRangeList([...NOT_GLOBAL_4, ...NOT_GLOBAL_6]);
  // BlockList takes ::ffff:a.b.c.d for a.b.c.d by itself.
  return !table.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** Whether an address is one of these addresses or lies in one of these ranges; other entries are ignored. */
export function isListedAddress(address: string, entries: readonly string[]): boolean {
  const family = isIP(address);
  const ranges = entries.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0);
  return family !== 0 && createRangeList(ranges).check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function createRangeList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
    const prefix = bits === undefined ? undefined : Number(bits);
    if (prefix === undefined) list.addAddress(network, family);
    else if (Number.isInteger(prefix)) list.addSubnet(network, prefix, family);
  }
  return list;
}
