import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { EventFeed } from '../../../../src/infrastructure/approval/page/event-feed.js';

describe('EventFeed', () => {
  it('lets go of a reader that never reads, and goes on telling the others', async () => {
    const feed = new EventFeed();
    const gone: boolean[] = [];
    const server = createServer((_, response) => {
      response.on('close', () => gone.push(!response.writableFinished));
      feed.add(response, { event: 'snapshot', data: [] });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lazy = await read(server.address() as AddressInfo);
    lazy.pause();
    const keen = await read(server.address() as AddressInfo);
    let told = 0;
    keen.on('data', (chunk: Buffer) => {
      told += chunk.length;
    });
    const megabyte = 'x'.repeat(1024 * 1024);
    let sent = 0;
    for (; gone.length === 0 && sent < 200; sent += 1) {
      feed.send('asked', megabyte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(gone).toEqual([true]);
    feed.end('ended', {});
    await once(keen, 'close');
    expect(told).toBeGreaterThan(sent * megabyte.length);
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});

async function read({ port }: AddressInfo): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}
