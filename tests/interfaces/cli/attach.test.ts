import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Starts the built command line as an AI command line does. */
function attach(path: string, how: readonly string[] = ['--attach', path]) {
  const child = spawn(process.execPath, [resolve('dist/cli.js'), 'serve', ...how]);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([out, err, [code]]) => ({ out, err, code })) };
}

describe('toolgate serve --attach', () => {
  let run: Server;
  let path: string;

  beforeEach(async () => {
    path = join(temporaryFolder(), 'tools.sock');
    writeFileSync(`${path}.token`, 'the token');
    run = createServer({ allowHalfOpen: true }).listen(path);
    await once(run, 'listening');
  });

  afterEach(() => void run.close());

  const connection = async (): Promise<Socket> => ((await once(run, 'connection')) as [Socket])[0];

  it('shows the token, and passes on every byte, both ways, until it has no more input', async () => {
    const sent = `${'ä'.repeat(3_000_000)}\n`;
    const { child, ended } = attach(path);
    const socket = await connection();
    const heard: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => void heard.push(chunk));
    child.stdin.end(sent);
    await once(socket, 'end');
    socket.end(sent);
    const { out, err, code } = await ended;
    // Compared here, because nobody would want to read how they differ.
    const isWhole = [Buffer.concat(heard).toString() === `the token\n${sent}`, out === sent];
    expect({ isWhole, err, code }).toEqual({ isWhole: [true, true], err: '', code: 0 });
  });

  it('ends when the run does, whether or not it is still spoken to', async () => {
    const { ended } = attach(path);
    (await connection()).destroy();
    expect(await ended).toMatchObject({ out: '', code: 0 });
  });

  it.each([
    ['nobody listens', (gone: string) => ['--attach', gone], 'No run listens on'],
    [
      'it is given a workflow as well',
      (gone: string) => ['x.yaml', '--attach', gone],
      'or --attach SOCKET alone',
    ],
    ['it is given no socket', () => ['--attach'], 'argument missing'],
  ])('says so when %s', async (_name, how, words) => {
    const { code, err } = await attach(path, how(`${path}.gone`)).ended;
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});
