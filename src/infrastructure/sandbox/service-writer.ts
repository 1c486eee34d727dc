import type { Writable } from 'node:stream';

const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Writes to a service; one that does not read is ended, before what waits for it fills the memory. */
export function writerTo(input: Writable | null, stop: () => Promise<void>): (text: string) => void {
  return (text) => {
    if (!input) return;
    if (input.writableLength > MAX_WAITING_BYTES) void stop();
    else input.write(text);
  };
}
