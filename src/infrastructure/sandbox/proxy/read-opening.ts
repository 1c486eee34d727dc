import type { Socket } from 'node:net';
import type { Opening } from './tunnel-opening.js';

/** What the first bytes led to, or that there will be none. */
export type SettledOpening = Exclude<Opening, { kind: 'more' }> | { readonly kind: 'ended' };

export interface ReadOpeningOptions {
  readonly judge: (bytes: Buffer) => Opening;
  /** Without it they may take as long as they like. */
  readonly timeoutMs?: number;
}

/** Reads until the first bytes can be judged, and puts them back to be read again. */
export function readOpening(
  client: Socket,
  { judge, timeoutMs }: ReadOpeningOptions,
): Promise<SettledOpening> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve) => {
    const settle = (opening: SettledOpening) => {
      clearTimeout(timer);
      client.off('data', onData).off('end', onEnd).off('close', onEnd);
      resolve(opening);
    };
    const onEnd = () => settle({ kind: 'ended' });
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const opening = judge(bytes);
      if (opening.kind === 'more') return;
      client.pause();
      client.unshift(bytes);
      settle(opening);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => client.destroy(), timeoutMs);
    client.on('data', onData).once('end', onEnd).once('close', onEnd);
  });
}
