import type { Socket } from 'node:net';

/** Every socket of a proxy, on both sides, so that none outlives it. */
export class ProxyConnections {
  readonly #open = new Set<Socket>();
  readonly #waiting = new Map<Socket, NodeJS.Timeout>();

  track(socket: Socket): void {
    this.#open.add(socket);
    // A reset is as good as an end, and without a listener it would end the host.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#open.delete(socket);
      this.takeRequest(socket);
    });
  }

  /** Waits for one request on a connection, and not for ever. */
  expectRequest(socket: Socket, timeoutMs: number, onLate: () => void): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(socket);
      onLate();
    }, timeoutMs);
    this.#waiting.set(socket, timer);
  }

  /** Whether a request was waited for: true once. What follows on the same connection was not asked for. */
  takeRequest(socket: Socket): boolean {
    clearTimeout(this.#waiting.get(socket));
    return this.#waiting.delete(socket);
  }

  destroyAll(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
