import type { Socket } from 'node:net';
import { endTogether } from './end-together.js';
import { readOpening, type SettledOpening } from './read-opening.js';
import { Refusal } from './refusal.js';
import { isWebPort, judgeOpening } from './tunnel-opening.js';
import type { Upstream } from './upstream.js';

export interface TunnelOptions {
  readonly upstream: Upstream;
  /** How long a client may take to say where it wants to go, on the ports where it has to speak first. */
  readonly timeoutMs: number;
}

/** How a tunnel went on: joined (or closed), plain HTTP that is still to be read, or refused. */
export type TunnelEnd = 'settled' | 'http' | Refusal;

const TLS_ALERT_ACCESS_DENIED = Buffer.from([21, 3, 3, 0, 2, 2, 49]);

/** The URL that stands for what CONNECT asks for, to be checked like any other. */
export function tunnelUrl(authority: string): string {
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\%]+):[0-9]{1,5}$/i.test(authority)) {
    throw new Refusal(400, 'CONNECT takes "host:port"');
  }
  return `https://${authority}`;
}

/**
 * Joins both ends once the first bytes have shown where they want to go; nothing is passed on before. What the
 * host says first is passed back at once: there are protocols in which the client waits for it.
 */
export async function runTunnel(client: Socket, { upstream, timeoutMs }: TunnelOptions): Promise<TunnelEnd> {
  const { socket, port } = upstream;
  if (client.destroyed) {
    // It did not wait for the host; its end has been told to nobody here.
    socket.destroy();
    return 'settled';
  }
  const separate = endTogether(client, socket);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.pipe(client);
  const opening = await readOpening(client, {
    judge: (bytes) => judgeOpening(bytes, upstream),
    ...(isWebPort(port) ? { timeoutMs } : {}),
  });
  if (opening.kind === 'pass') client.pipe(socket);
  else if (opening.kind === 'ended') socket.end();
  else {
    separate();
    return turnAway(client, upstream, opening);
  }
  return 'settled';
}

function turnAway(
  client: Socket,
  { socket, host }: Upstream,
  opening: Extract<SettledOpening, { kind: 'http' | 'refuse' }>,
): TunnelEnd {
  socket.unpipe(client);
  socket.destroy();
  if (opening.kind === 'http') return 'http';
  if (opening.isTls) client.write(TLS_ALERT_ACCESS_DENIED);
  client.destroySoon();
  return new Refusal(403, `The tunnel to "${host}" is refused: ${opening.reason}`);
}
