import { quoteWord } from '../../../domain/shell-quote.js';

/** Where the sandboxed process finds its proxy: a port of its own network namespace, so it need not be free here. */
export const PROXY_PORT = 3128;

/**
 * What Node runs inside of the sandbox before the tool's command: it listens there, hands the listening socket out
 * through its channel and is gone. From then on the host accepts the connections of that namespace itself; there
 * is no bridge, and no socket file that anything else could reach.
 */
const LISTEN_SCRIPT = [
  `const server = require('node:net').createServer();`,
  `server.listen(${PROXY_PORT}, '127.0.0.1', () => process.send('listening', server, () => process.exit()));`,
].join(' ');

export interface ListenPrologue {
  /** The Node to run, as an absolute path inside of the sandbox. */
  readonly node: string;
  /** The descriptor of the channel, 3 to 9: more digits than one are no descriptor to a POSIX shell. */
  readonly channel: number;
}

/**
 * The lines of a shell that run the script and then close the channel, so that nothing after them has it. The
 * tool's environment is kept away from this Node: NODE_OPTIONS or LD_PRELOAD would let it speak on the channel.
 */
export function listenPrologue({ node, channel }: ListenPrologue): string {
  if (!Number.isInteger(channel) || channel < 3 || channel > 9) {
    throw new RangeError(`The channel has to be a descriptor from 3 to 9, not ${channel}`);
  }
  const listen = `${quoteWord(node)} -e ${quoteWord(LISTEN_SCRIPT)}`;
  return [
    `/usr/bin/env -i NODE_CHANNEL_FD=${channel} ${listen} </dev/null || exit 125`,
    `unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE`,
    `exec ${channel}>&-`,
  ].join('; ');
}
