import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProcessSandbox } from '../../../src/infrastructure/sandbox/process-sandbox.js';
import type { ProcessCommand } from '../../../src/ports/sandbox.js';
import { describeSandboxContract } from '../../contracts/sandbox.contract.js';
import { describeServiceContract } from '../../contracts/service.contract.js';
import { codeOf, Fixture, NEVER } from './fixture.js';

describeSandboxContract('ProcessSandbox', () => new ProcessSandbox());

describeServiceContract('ProcessSandbox', () => new ProcessSandbox());

describe('ProcessSandbox', () => {
  let fixture: Fixture;
  const sandbox = new ProcessSandbox();
  beforeEach(() => {
    fixture = new Fixture();
  });
  afterEach(() => fixture.remove());

  const argv = (...words: string[]): ProcessCommand => ({ kind: 'argv', argv: words });

  it('admits that nobody holds files and network of a process', async () => {
    const { kernel, enforcement } = await sandbox.probe({ signal: NEVER });
    expect(kernel).toBe(false);
    expect(enforcement).toMatchObject({
      backend: 'process',
      fsRead: 'none',
      fsWrite: 'none',
      network: 'none',
      exec: 'in-process',
      memory: 'in-process',
      pids: 'none',
      killTree: 'in-process',
      env: 'in-process',
    });
  });

  it('refuses all processes unless the workflow says that checks in this process will do', async () => {
    const policy = fixture.policy({ commands: 'any' });
    const refused = sandbox.plan({ ...policy, onUnavailable: 'deny' }, argv('true'));
    await expect(refused).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.UNAVAILABLE',
      message: expect.stringContaining('sandbox: { on_unavailable: warn }') as unknown,
    });
    expect((await sandbox.plan({ ...policy, onUnavailable: 'prompt' }, argv('true'))).confined).toBe(false);
  });

  it('refuses what is strict, whatever the workflow says', async () => {
    const policy = fixture.policy({ commands: ['true'], strict: true });
    for (const onUnavailable of ['prompt', 'warn'] as const) {
      await expect(sandbox.plan({ ...policy, onUnavailable }, argv('true'))).rejects.toMatchObject({
        code: 'EXECUTION.SANDBOX.UNAVAILABLE',
        message: expect.stringContaining('only the kernel layer can hold') as unknown,
      });
    }
  });

  it('runs a single understood command without a shell, several in words of its own', async () => {
    const policy = fixture.policy({ commands: ['echo', 'cat'] });
    const plan = async (commandLine: string) =>
      (await sandbox.plan(policy, { kind: 'command-line', commandLine })).argv;
    expect((await plan('echo "a  b" c;')).slice(1)).toEqual(['a  b', 'c']);
    const [shell, flag, text] = await plan("echo 'it''s'  |  cat");
    expect([shell, flag]).toEqual(['/bin/sh', '-c']);
    expect(text).toMatch(/^\S+\/echo its \| \S+\/cat$/);
  });

  it('never takes a program from the workspace or from the inherited PATH', async () => {
    fixture.script('ws/bin/echo', 'echo workspace');
    fixture.script('elsewhere/only-there', 'echo elsewhere');
    const inherited = process.env.PATH;
    process.env.PATH = `${fixture.root}/bin:${fixture.base}/elsewhere:.:${inherited}`;
    try {
      const policy = fixture.policy({ commands: ['echo', 'only-there'] });
      const plan = await sandbox.plan(policy, argv('echo', 'hi'));
      expect((await sandbox.run(plan, { signal: NEVER })).output).toBe('hi\n');
      expect(await codeOf(sandbox.plan(policy, argv('only-there')))).toBe('EXECUTION.TOOL.NOT_FOUND');
      expect((await sandbox.run(plan, { signal: NEVER })).output).not.toContain(fixture.root);
    } finally {
      process.env.PATH = inherited;
    }
  });

  it('compares programs by file and by name: a link is not the program, one file may be several', async () => {
    symlinkSync('/usr/bin/touch', join(fixture.base, 'echo'));
    const policy = fixture.policy({ commands: ['echo', 'pgrep'] });
    expect(await codeOf(sandbox.plan(policy, argv(`${fixture.base}/echo`)))).toBe('EXECUTION.SANDBOX.DENIED');
    expect(await codeOf(sandbox.plan(policy, argv('pkill', 'x')))).toBe('EXECUTION.SANDBOX.DENIED');
    expect((await sandbox.plan(policy, argv('/bin/echo', 'x'))).argv[0]).toMatch(/\/echo$/);
  });

  it('runs a listed program of the workspace, for a person listed it', async () => {
    const file = fixture.script('ws/tools/check', 'echo checked "$@"');
    const policy = fixture.policy({ commands: [file] });
    for (const word of ['check', './tools/check', file]) {
      const plan = await sandbox.plan(policy, argv(word, 'x'));
      expect((await sandbox.run(plan, { signal: NEVER })).output).toBe('checked x\n');
    }
  });

  it('takes "system" for programs of the system only', async () => {
    fixture.script('ws/own', 'true');
    const policy = fixture.policy({ commands: 'system' });
    expect((await sandbox.plan(policy, argv('node', '-v'))).argv[0]).toMatch(/\/node$/);
    expect(await codeOf(sandbox.plan(policy, argv('./own')))).toBe('EXECUTION.SANDBOX.DENIED');
    expect(await codeOf(sandbox.plan(policy, argv('nonesuch')))).toBe('EXECUTION.TOOL.NOT_FOUND');
  });

  it('claims to have checked programs only where it has', async () => {
    const execOf = async (commands: 'any' | 'system' | readonly string[], command: ProcessCommand) => {
      const plan = await sandbox.plan(fixture.policy({ commands }), command);
      return (await sandbox.run(plan, { signal: NEVER })).enforcement.exec;
    };
    const script: ProcessCommand = { kind: 'script', script: 'true && true', args: [] };
    expect(await execOf(['true'], script)).toBe('in-process');
    expect(await execOf('system', argv('true'))).toBe('in-process');
    expect(await execOf('system', script)).toBe('none');
    expect(await execOf('any', argv('true'))).toBe('none');
  });

  it('says so when the workspace is gone', async () => {
    const plan = await sandbox.plan(fixture.policy({ commands: 'any' }), argv('true'));
    rmSync(fixture.root, { recursive: true });
    await expect(sandbox.run(plan, { signal: NEVER })).rejects.toThrow('does not exist');
  });

  it('runs npm, which finds its node', async () => {
    const plan = await sandbox.plan(fixture.policy({ commands: 'system' }), argv('npm', '--version'));
    const { output, exitCode } = await sandbox.run(plan, { signal: NEVER });
    expect({ output, exitCode }).toEqual({ output: expect.stringMatching(/^\d+\.\d+/), exitCode: 0 });
  });
});
