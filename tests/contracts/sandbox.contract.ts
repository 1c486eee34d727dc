import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Permissions } from '../../src/domain/restrictions.js';
import type { ProcessCommand, ProcessContext, Sandbox, StartedProcess } from '../../src/ports/sandbox.js';
import { codeOf, Fixture, NEVER } from '../infrastructure/sandbox/fixture.js';

/** What every Sandbox promises, whatever holds it. */
export function describeSandboxContract(name: string, make: () => Sandbox): void {
  describe(`${name} as a Sandbox`, () => {
    let fixture: Fixture;
    let sandbox: Sandbox;
    let workspace: Partial<Permissions>;
    beforeEach(() => {
      fixture = new Fixture();
      sandbox = make();
      workspace = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
    });
    afterEach(() => fixture.remove());

    const plan = (command: ProcessCommand, more: Partial<Permissions> = {}) =>
      sandbox.plan(fixture.policy({ ...workspace, ...more }), command);
    const shell = async (
      commandLine: string,
      more: Partial<Permissions> = {},
      context: Partial<ProcessContext> = {},
    ) =>
      sandbox.run(await plan({ kind: 'command-line', commandLine }, { commands: 'any', ...more }), {
        signal: NEVER,
        ...context,
      });

    it('says what holds, in every probe and every outcome', async () => {
      const { enforcement } = await sandbox.probe({ signal: NEVER });
      const outcome = await shell('true', { commands: ['true'] });
      expect(outcome.enforcement).toMatchObject({ backend: enforcement.backend, exec: enforcement.exec });
      expect(enforcement.reasons.every((reason) => reason.length > 0)).toBe(true);
    });

    it('plans without changing anything, and freezes the plan', async () => {
      const planned = await plan({ kind: 'argv', argv: ['touch', 'made'] }, { commands: ['touch'] });
      expect(planned.argv.slice(1)).toEqual(['made']);
      expect(planned.argv[0]).toMatch(/^\/.*touch$/);
      expect(planned.cwd).toBe(fixture.root);
      expect([planned, planned.argv, planned.env, planned.policy].every(Object.isFrozen)).toBe(true);
      expect(existsSync(join(fixture.root, 'made'))).toBe(false);
    });

    it('passes arguments on as they are', async () => {
      const words = ['a b', '$HOME', '`id`', '"q"', "it's", '', '-n', '*', 'é\n€', '\\'];
      const planned = await plan(
        { kind: 'argv', argv: ['printf', '<%s>', ...words] },
        { commands: ['printf'] },
      );
      const { output } = await sandbox.run(planned, { signal: NEVER });
      expect(output).toBe(words.map((word) => `<${word}>`).join(''));
    });

    it.each([['any' as const], ['system' as const], [['printf']]])(
      'runs a constant script with its arguments, where commands are %j',
      async (commands) => {
        const script = 'printf "<%s>" "$1" && printf "[%s]" "a$2"';
        const planned = await plan({ kind: 'script', script, args: ['; id', '$(id)'] }, { commands });
        const { output, exitCode } = await sandbox.run(planned, { signal: NEVER });
        expect({ output, exitCode }).toEqual({ output: '<; id>[a$(id)]', exitCode: 0 });
      },
    );

    it('refuses what is not listed, and everything where nothing is', async () => {
      const line = (commandLine: string): ProcessCommand => ({ kind: 'command-line', commandLine });
      expect(await codeOf(plan(line('ls'), { commands: ['echo'] }))).toBe('EXECUTION.SANDBOX.DENIED');
      expect(await codeOf(plan(line('ls'), { commands: [] }))).toBe('EXECUTION.SANDBOX.DENIED');
      expect(await codeOf(plan({ kind: 'argv', argv: ['ls'] }, { commands: [] }))).toBe(
        'EXECUTION.SANDBOX.DENIED',
      );
    });

    it('works in the workspace, with no input', async () => {
      expect(await shell('pwd; cat; echo done')).toMatchObject({
        output: `${fixture.root}\ndone\n`,
        exitCode: 0,
        signal: null,
      });
    });

    it('reports exit codes and signals', async () => {
      expect(await shell('exit 7')).toMatchObject({ exitCode: 7, signal: null });
      expect(await shell('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    });

    it('passes on only the variables that are permitted', async () => {
      process.env.TOOLGATE_TEST_SECRET = 'sk-TOPSECRET';
      process.env.TOOLGATE_TEST_MEANT = 'meant';
      try {
        const { output } = await shell('env', { env: ['TOOLGATE_TEST_MEANT', 'TOOLGATE_TEST_UNSET'] });
        const names = output.split('\n').flatMap((line) => line.split('=')[0] || []);
        expect(output).toContain('TOOLGATE_TEST_MEANT=meant');
        expect(new Set(names)).toEqual(
          new Set(['HOME', 'LANG', 'PATH', 'PWD', 'TERM', 'TMPDIR', 'TOOLGATE_TEST_MEANT']),
        );
      } finally {
        Reflect.deleteProperty(process.env, 'TOOLGATE_TEST_SECRET');
        Reflect.deleteProperty(process.env, 'TOOLGATE_TEST_MEANT');
      }
    });

    it('gives each call a home of its own, and removes it', async () => {
      const homes = await Promise.all([1, 2].map(() => shell('touch "$HOME/x" "$TMPDIR/y"; echo "$HOME"')));
      const [first, second] = homes.map(({ output }) => output.trim());
      expect(first).not.toBe(second);
      expect([first, second].filter((home) => existsSync(home ?? ''))).toEqual([]);
    });

    it('tells of a process before it does anything', async () => {
      const started: StartedProcess[] = [];
      const seen: boolean[] = [];
      await shell(
        'touch ran',
        {},
        {
          onStart: (process) => {
            started.push(process);
            seen.push(existsSync(join(fixture.root, 'ran')));
          },
        },
      );
      expect(seen).toEqual([false]);
      expect(started[0]?.pid).toBeGreaterThan(1);
      expect(existsSync(join(fixture.root, 'ran'))).toBe(true);
    });

    it('runs nothing if the start cannot be recorded', async () => {
      const onStart = () => {
        throw new Error('disk full');
      };
      await expect(shell('touch ran', {}, { onStart })).rejects.toThrow('disk full');
      expect(existsSync(join(fixture.root, 'ran'))).toBe(false);
    });

    it('runs nothing for a call that was cancelled before', async () => {
      expect(await codeOf(shell('touch ran', {}, { signal: AbortSignal.abort() }))).toBe(
        'EXECUTION.CALL.CANCELLED',
      );
      expect(existsSync(join(fixture.root, 'ran'))).toBe(false);
    });

    it('ends a process when its time is over, and keeps what it printed', async () => {
      const signal = fixture.abortedBy('ws/up');
      const outcome = await shell('echo before; touch up; sleep 600', {}, { signal });
      expect(outcome).toMatchObject({ output: 'before\n', exitCode: null });
    });

    it('keeps output and errors in the order they were written', async () => {
      const { output } = await shell('for n in $(seq 300); do printf "$n,"; printf "$n;" >&2; done');
      expect(output).toBe(Array.from({ length: 300 }, (_, index) => `${index + 1},${index + 1};`).join(''));
    });

    it('keeps characters whole that come in pieces', async () => {
      const { output } = await shell("printf '\\342\\202'; sleep 0.1; printf '\\254'");
      expect(output).toBe('€');
    });

    it('cuts long output in the middle, says so, and keeps the whole in a file', async () => {
      const outputFile = join(fixture.base, 'output.txt');
      const limits = { memoryBytes: 512 * 1024 * 1024, pids: 64, maxOutputBytes: 100 };
      const outcome = await shell('seq 1 1000', { limits }, { outputFile });
      const whole = readFileSync(outputFile, 'utf8');
      expect(outcome.truncated).toEqual({ totalBytes: whole.length, keptBytes: 100, file: outputFile });
      expect(outcome.output).toMatch(/^1\n2\n.*bytes cut.*\n1000\n$/s);
      expect(whole.split('\n').length).toBe(1001);
      expect(statSync(outputFile).mode & 0o777).toBe(0o600);
      await shell('true', { limits }, { outputFile: join(fixture.base, 'none.txt') });
      expect(readdirSync(fixture.base)).not.toContain('none.txt');
    });

    it('says clearly what could not be started', async () => {
      const planned = await plan(
        { kind: 'argv', argv: ['true', 'x'.repeat(3_000_000)] },
        { commands: 'any' },
      );
      await expect(sandbox.run(planned, { signal: NEVER })).rejects.toThrow('longer than the system takes');
    });
  });
}
