import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';

let cli: CliFixture;
beforeAll(async () => {
  cli = await createCliFixture();
});
afterAll(() => cli.remove());

describe('toolgate doctor', () => {
  it('tries every escape, and says by its exit code whether all are held', async () => {
    const { code, out, err } = await cli.run('doctor', '--output-format', 'json');
    const { holds, escapes } = JSON.parse(out);
    expect({ err, code }).toEqual({ err: '', code: holds ? 0 : 3 });
    const ids = escapes.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([
      'write-outside',
      'read-outside',
      'remount',
      'connect-loopback',
      'connect-unix',
      'connect-public',
      'user-namespace',
      'read-environment',
      'outlive-call',
      'memory',
      'memory-together',
      'processes',
      'inherited-descriptor',
    ]);
    expect(escapes.at(-1)).toMatchObject({
      verdict: 'untried',
      detail: 'only the installed command can try it',
    });
  }, 60_000);

  it('ends when it is interrupted', async () => {
    const interruption = () => AbortSignal.abort(new Error('interrupted'));
    const { code, out, err } = await cli.runWith({ interruption }, 'doctor');
    expect({ code, out, err }).toEqual({ code: 130, out: '', err: '' });
  });
});
