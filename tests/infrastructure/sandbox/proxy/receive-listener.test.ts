import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { listenPrologue } from '../../../../src/infrastructure/sandbox/proxy/listen-script.js';
import { receiveListener } from '../../../../src/infrastructure/sandbox/proxy/receive-listener.js';
import { NEVER } from '../fixture.js';

/** A process with a channel that runs this script of Node. */
function start(script: string): ChildProcess {
  return spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

async function problemOf(child: ChildProcess, signal = NEVER): Promise<unknown> {
  const ended = once(child, 'exit');
  const problem = await receiveListener(child, { signal }).catch((error: unknown) => error);
  child.kill('SIGKILL');
  await ended;
  return problem;
}

const UNAVAILABLE = 'EXECUTION.SANDBOX.UNAVAILABLE';

describe('receiveListener', () => {
  it('says that nothing was sent', async () => {
    expect(await problemOf(start(''))).toMatchObject({
      code: UNAVAILABLE,
      message: expect.stringMatching(/before it listened/),
    });
    expect(await problemOf(start('process.send("listening")'))).toMatchObject({ code: UNAVAILABLE });
  });

  it('takes no other socket than the one it asked for', async () => {
    const other = `const s = require('node:net').createServer(); s.listen(0, '127.0.0.1', () => process.send('listening', s, () => process.exit()));`;
    expect(await problemOf(start(other))).toMatchObject({
      code: UNAVAILABLE,
      message: expect.stringMatching(/something else/),
    });
  });

  it('says that there is no channel, or no process', async () => {
    const bare = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    expect(await problemOf(bare)).toMatchObject({
      code: UNAVAILABLE,
      message: expect.stringMatching(/no channel/),
    });
    const missing = spawn('/nonexistent/node', [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const problem = await receiveListener(missing, { signal: NEVER }).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: UNAVAILABLE, message: expect.stringMatching(/ENOENT/) });
  });

  it('waits no longer than it may', async () => {
    const silent = start('setInterval(() => {}, 1000)');
    expect(await problemOf(silent, AbortSignal.timeout(50))).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('listenPrologue', () => {
  it('takes no descriptor that a shell would read as something else', () => {
    for (const channel of [0, 2, 10, 3.5]) {
      expect(() => listenPrologue({ node: '/usr/bin/node', channel })).toThrow(RangeError);
    }
  });

  it('quotes the path of Node', () => {
    expect(listenPrologue({ node: "/it's/node", channel: 3 })).toContain(`'/it'\\''s/node' -e '`);
  });
});
