import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProcessOutcome } from '../../../src/ports/sandbox.js';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

/** Nobody's own number, on every system. */
const OTHER = 65_534;
const isRoot = process.getuid?.() === 0;

const give = (path: string) => {
  if (!isRoot) return;
  chownSync(path, OTHER, OTHER);
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
};

/** Modes mean nothing to root, so these calls are made by somebody else. */
describe('the modes of files that a call makes', () => {
  let fixture: KernelFixture;
  beforeEach(() => {
    fixture = new KernelFixture();
    fixture.write('ws/.git/config', 'mine');
    fixture.write('ws/.git/HEAD', 'ref: refs/heads/main');
    mkdirSync(join(fixture.base, 'home'));
    mkdirSync(join(fixture.base, 'state'));
  });
  afterEach(() => fixture.remove());

  const start = (body: string) => {
    const program = childProgram(
      fixture.base,
      `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
       import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
       import { existsSync } from 'node:fs';
       const root = ${JSON.stringify(fixture.root)};
       const outputFile = ${JSON.stringify(join(fixture.base, 'state/output.txt'))};
       const permissions = { ...NO_PERMISSIONS, commands: 'any' as const, read: [root + '/**'], write: [root + '/**'] };
       const policy = { workspace: root, permissions, onUnavailable: 'deny' as const };
       const sandbox = new BubblewrapSandbox({ warm: 0 });
       const run = async (commandLine: string, more = {}) => sandbox.run(
         await sandbox.plan(policy, { kind: 'command-line', commandLine }), { signal: new AbortController().signal, ...more });
       void (async () => { ${body} })().catch((error) => console.error(error));`,
    );
    give(fixture.base);
    const { stdout, stderr } = spawnSync(process.execPath, [program], {
      ...(isRoot ? { uid: OTHER, gid: OTHER } : {}),
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: join(fixture.base, 'home') },
    });
    expect(stderr).toBe('');
    return stdout;
  };
  const runAll = (commands: readonly string[], more = '{}') =>
    JSON.parse(
      start(`const outcomes = [];
        for (const command of ${JSON.stringify(commands)}) outcomes.push(await run(command, ${more}));
        console.log(JSON.stringify(outcomes));`),
    ) as readonly ProcessOutcome[];

  it('do not hide what is to be guarded', () => {
    const [, second] = runAll(['chmod 111 .git', 'echo evil >> .git/config']);
    expect(second?.exitCode).not.toBe(0);
    expect(fixture.read('ws/.git/config')).toBe('mine');
  });

  it('have a folder held that cannot be read', () => {
    chmodSync(join(fixture.root, '.git'), 0o111);
    const [first, second] = runAll(['echo evil >> .git/config', 'chmod 755 .git']);
    expect([first?.exitCode, second?.exitCode]).not.toContain(0);
    expect(second?.enforcement.reasons).toContainEqual(expect.stringMatching(/\.git" is read-only, for it/));
    expect(fixture.read('ws/.git/config')).toBe('mine');
  });

  const CLOSED = `mkdir -p .vscode/in sub/.claude s2 s3/s4/.idea; echo evil | tee .vscode/in/x sub/.claude/x s2/.envrc s3/s4/.idea/x
    chmod 555 .vscode/in .vscode sub/.claude s2; chmod 000 s3/s4/.idea; chmod 111 s3/s4; chmod 000 s3`;
  const isLeft = () =>
    ['.vscode', 'sub/.claude', 's2/.envrc', 's3/s4/.idea'].filter((path) => fixture.has(`ws/${path}`));

  it('do not keep newcomers from being moved away', () => {
    const [outcome] = runAll([CLOSED], '{ outputFile }');
    expect([outcome?.exitCode, isLeft()]).toEqual([0, []]);
    expect(outcome?.output.match(/was moved to/g)).toHaveLength(4);
    expect(statSync(join(fixture.root, 's2')).mode & 0o777).toBe(0o555);
  });

  it('do not keep newcomers from being removed', () => {
    const [outcome] = runAll([CLOSED]);
    expect([outcome?.exitCode, isLeft()]).toEqual([0, []]);
    expect(outcome?.output.match(/was removed/g)).toHaveLength(4);
  });

  it('do not matter when this program ends while a call runs', () => {
    start(`setInterval(() => existsSync(root + '/.zshrc') && process.exit(0), 5);
      await run('mkdir .vscode; chmod 555 .vscode; while :; do echo evil > .zshrc; done');`);
    expect([fixture.has('ws/.zshrc'), fixture.has('ws/.vscode')]).toEqual([false, false]);
  });
});
