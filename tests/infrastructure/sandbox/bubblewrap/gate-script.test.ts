import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { exitStatusOf } from '../../../../src/infrastructure/sandbox/bubblewrap/exit-status.js';
import {
  fitsGate,
  gateMessage,
  gateScript,
} from '../../../../src/infrastructure/sandbox/bubblewrap/gate-script.js';
import { confinement } from './confinement-fixture.js';

const { limits } = confinement();
const SHELLS = ['/bin/dash', '/bin/bash', '/bin/sh'];

/** Runs a gate without a sandbox around it. */
async function pass(shell: string, first: readonly string[], message: string | undefined) {
  const script = gateScript({ limits, memory: true, pids: false });
  const child = spawn(shell, ['-c', script, 'sh', ...first], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const control = child.stdio[3] as Duplex;
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(control, 'data');
  control.end(message);
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { output, ...exitStatusOf({ exitCode, signal }) };
}

describe.each(SHELLS)('the gate in %s', (shell) => {
  it('hands over arguments as they are', async () => {
    const words = [
      'a b',
      '$(id)',
      '`id`',
      '"',
      "'",
      '',
      '-n',
      '*',
      '\\',
      '\\n',
      ' x ',
      'é€😀',
      '#',
      '~',
      '!',
    ];
    const { output } = await pass(shell, [], gateMessage(['/usr/bin/printf', '<%s>', ...words]));
    expect(output).toBe(words.map((word) => `<${word}>`).join(''));
  });

  it('runs what it was started with, if nothing else comes', async () => {
    expect(await pass(shell, ['/bin/echo', 'a\nb'], gateMessage([]))).toEqual({
      output: 'a\nb\n',
      exitCode: 0,
      signal: null,
    });
  });

  it('runs nothing if nobody opens it, or only half', async () => {
    expect(await pass(shell, ['/bin/echo', 'x'], '')).toMatchObject({ output: '', exitCode: 125 });
    expect(await pass(shell, [], '3\n/bin/echo\nx\n')).toMatchObject({ output: '', exitCode: 125 });
  });

  it('passes on how a program ended, and adds nothing to what it said', async () => {
    const run = (script: string) => pass(shell, ['/bin/sh', '-c', script], gateMessage([]));
    expect(await run('echo said >&2; exit 7')).toEqual({ output: 'said\n', exitCode: 7, signal: null });
    expect(await run('kill -9 $$')).toEqual({ output: '', exitCode: null, signal: 'SIGKILL' });
    const held = 'for n in 3 4; do [ -e /proc/$$/fd/$n ] && echo $n; done; echo end';
    expect(await run(held)).toMatchObject({ output: 'end\n' });
    expect(await pass(shell, ['/nowhere/x'], gateMessage([]))).toMatchObject({
      exitCode: 127,
      output: expect.stringContaining('/nowhere/x'),
    });
  });
});

describe('fitsGate', () => {
  it('takes what can be read line by line, in a short time', () => {
    expect(fitsGate(['/bin/true', 'a b'])).toBe(true);
    expect(fitsGate(['/bin/true', 'a\nb'])).toBe(false);
    expect(fitsGate(['/bin/true', 'x'.repeat(9_000)])).toBe(false);
    expect(fitsGate(Array.from({ length: 300 }, () => 'x'))).toBe(false);
  });
});

describe('gateScript', () => {
  it('limits each process where no cgroup limits all', () => {
    expect(gateScript({ limits, memory: true, pids: true })).toMatch(/ulimit -d 524288 .*ulimit -p 64 /s);
    expect(gateScript({ limits, memory: false, pids: false })).not.toMatch(/ulimit -[dpu]/);
  });

  it('does what a proxy needs before it says that it waits', () => {
    const script = gateScript({ limits, memory: false, pids: false, prologue: 'listen' });
    expect(script.indexOf('listen')).toBeLessThan(script.indexOf('echo'));
  });
});
