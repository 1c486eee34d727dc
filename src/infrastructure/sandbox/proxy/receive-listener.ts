import type { ChildProcess, SendHandle, Serializable } from 'node:child_process';
import { Server } from 'node:net';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import { PROXY_PORT } from './listen-script.js';

const LISTEN_TIMEOUT_MS = 10_000;

/**
 * Takes the listening socket that the script sends out of the sandbox. Resolves only when nothing in there holds
 * the channel any more: what runs afterwards has no line to this process.
 */
export async function receiveListener(
  child: ChildProcess,
  context: { readonly signal: AbortSignal },
): Promise<Server> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(LISTEN_TIMEOUT_MS)]);
  const received: Server[] = [];
  const onMessage = (_message: Serializable, handle: SendHandle) => {
    if (handle instanceof Server) received.push(handle);
  };
  child.on('message', onMessage);
  try {
    await channelClosed(child, signal);
    return onlyListener(received);
  } catch (error) {
    for (const listener of received) listener.close();
    child.on('message', closeLate);
    context.signal.throwIfAborted();
    throw unavailable(error);
  } finally {
    child.off('message', onMessage);
  }
}

/** What is still on its way when nobody waits for it any more would stay open for good. */
function closeLate(_message: Serializable, handle: SendHandle): void {
  if (handle instanceof Server) handle.close();
}

function channelClosed(child: ChildProcess, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => reject(signal.reason));
    const onClosed = () => settle(resolve);
    const onError = (error: Error) => settle(() => reject(error));
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', onAbort);
      child.off('disconnect', onClosed).off('error', onError);
      end();
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    child.once('disconnect', onClosed).once('error', onError);
    if (!child.connected) settle(() => reject(new Error('it has no channel')));
  });
}

/** Exactly the one socket that was asked for: anything else was not sent by the script. */
function onlyListener(received: readonly Server[]): Server {
  const [listener, ...more] = received;
  if (!listener) throw new Error('it ended before it listened');
  const address = listener.address();
  if (more.length > 0 || typeof address !== 'object' || address?.port !== PROXY_PORT) {
    throw new Error('it sent something else');
  }
  return listener;
}

function unavailable(error: unknown): ToolgateError {
  const problem =
    (error as Partial<Error> | undefined)?.name === 'TimeoutError' ? 'it took too long' : messageOf(error);
  return new ToolgateError(
    'EXECUTION.SANDBOX.UNAVAILABLE',
    `The sandbox has no way to the listed hosts: its listener could not be set up: ${problem}`,
    { cause: error },
  );
}
