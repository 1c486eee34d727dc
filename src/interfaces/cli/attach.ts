import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { CliIo } from './cli-io.js';
import { EXIT } from './exit-code.js';

/**
 * Passes bytes between our own streams and a run that listens on a socket, as an MCP server that an AI command line
 * starts. It knows nothing of the protocol and keeps nothing: the run alone decides and records.
 */
export async function attach(path: string, io: CliIo): Promise<number> {
  const socket = await connected(path);
  socket.setEncoding('utf8').on('data', io.out);
  const closed = next(socket, 'close');
  await Promise.race([passOn(io.stdin, socket, closed), closed]);
  socket.end();
  await closed;
  return EXIT.success;
}

/** The token lies beside the socket, where only its owner can read. */
async function connected(path: string): Promise<Socket> {
  try {
    const token = readFileSync(`${path}.token`, 'utf8');
    const socket = connect(path);
    await once(socket, 'connect');
    // A run that ends in the middle of a call is an end, not a failure of ours.
    socket.on('error', () => undefined);
    socket.write(`${token}\n`);
    return socket;
  } catch (error) {
    const message = `No run listens on ${path}: ${messageOf(error)}`;
    throw new ToolgateError('USER.ARGUMENT.INVALID', message, { cause: error });
  }
}

async function passOn(
  input: AsyncIterable<Uint8Array>,
  socket: Socket,
  closed: Promise<void>,
): Promise<void> {
  for await (const chunk of input) {
    if (!socket.writable) return;
    if (!socket.write(chunk)) await Promise.race([next(socket, 'drain'), closed]);
  }
}

/** Unlike `once` of Node it does not fail where the socket does: that shows as its close. */
function next(socket: Socket, event: 'close' | 'drain'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()));
}
