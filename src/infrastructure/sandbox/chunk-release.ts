import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Smaller ones are not worth the call. */
const MIN_BYTES = 512;

let nowhere: MessagePort | undefined;

/**
 * Gives the memory of a stream's chunk back at once. The collector of the engine is in no hurry: with a fast
 * process a hundred megabytes of chunks wait for it. The chunk is empty afterwards.
 */
export function releaseChunk(chunk: Buffer): void {
  // A part of a larger buffer is one of a pool that others use.
  if (chunk.byteLength < MIN_BYTES || chunk.byteLength !== chunk.buffer.byteLength) return;
  if (!(chunk.buffer instanceof ArrayBuffer)) return;
  try {
    nowhere ??= closedPort();
    nowhere.postMessage(null, [chunk.buffer]);
  } catch {
    // A buffer that cannot be given away is left to the collector.
  }
}

/** What is transferred to a closed port is freed; older engines have no other way to say so. */
function closedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.close();
  return port1;
}
