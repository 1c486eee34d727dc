import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandPlanner } from '../../../src/infrastructure/sandbox/command-planner.js';
import { CommandFixture } from './command-fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';

describe('git from a list', () => {
  let fixture: CommandFixture;
  beforeEach(() => {
    fixture = new CommandFixture();
  });
  afterEach(() => fixture.remove());

  const git = (...args: string[]) => execFileSync('git', args, { cwd: fixture.root, encoding: 'utf8' });
  const repository = () => {
    git('init', '-q');
    git('config', 'user.name', 'a');
    git('config', 'user.email', 'a@example.com');
    git('add', 'f.txt');
    git('commit', '-q', '-m', 'first');
    fixture.write('ws/f.txt', 'changed\n');
  };
  /** What an agent with nothing but a tool that writes files can make. */
  const bare = (folder: string, config: string) => {
    for (const name of ['objects', 'refs']) mkdirSync(join(fixture.root, folder, name), { recursive: true });
    writeFileSync(join(fixture.root, folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(fixture.root, folder, 'config'), config);
  };
  const evil = () =>
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${fixture.root}\n\tfsmonitor = "touch ${fixture.out}/pwned;false"\n`;

  it.each([
    ['.', 'git status'],
    ['src', 'git -C src status'],
    ['src/deep', 'git -C src -C deep log'],
    ['src', 'git -C src/refs diff'],
  ])('refuses a repository made of ordinary files in %s: %s', async (folder, line) => {
    bare(folder, evil());
    const result = await fixture.attempt('git', line);
    expect(result).toMatchObject({ code: DENIED });
    expect(result.output).toContain('without being named .git');
    expect(fixture.harm()).toEqual([]);
  });

  it('refuses one whose objects lie elsewhere, also where a kernel contains it', async () => {
    writeFileSync(join(fixture.root, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(fixture.root, 'commondir'), 'src\n');
    expect(await fixture.attempt('git', 'git status')).toMatchObject({ code: DENIED });
    const planner = await CommandPlanner.create(fixture.policy({ commands: ['git'] }), { contained: true });
    const command = { kind: 'command-line', commandLine: 'git status' } as const;
    expect(() => planner.plan(command)).toThrow('without being named .git');
  });

  it('finds nothing where one is made after the plan', async () => {
    const planner = await CommandPlanner.create(fixture.policy({ commands: ['git'] }), { contained: false });
    const [file = '', ...args] = planner.plan({ kind: 'argv', argv: ['git', 'status'] });
    bare('.', evil());
    expect(() => execFileSync(file, args, { cwd: fixture.root, stdio: 'pipe' })).toThrow('bare');
    expect(fixture.harm()).toEqual([]);
  });

  it.each([
    ['core.fsmonitor', 'git status'],
    ['core.editor', 'git commit --amend'],
    ['diff.external', 'git diff'],
    ['diff.x.textconv', 'git show'],
  ])('runs nothing that %s names: %s', async (name, line) => {
    fixture.write('ws/.gitattributes', '*.txt diff=x\n');
    repository();
    git('config', name, `touch ${fixture.out}/pwned;:`);
    expect((await fixture.attempt('git', line)).code).toBeUndefined();
    expect(fixture.harm()).toEqual([]);
  });

  it('runs no hooks', async () => {
    repository();
    fixture.script('ws/.git/hooks/pre-commit', `touch ${fixture.out}/pwned`);
    expect(await fixture.attempt('git', 'git commit -am second')).toMatchObject({ exitCode: 0 });
    expect(git('log', '--format=%s')).toBe('second\nfirst\n');
    expect(fixture.harm()).toEqual([]);
  });

  it.each([
    ['git status --short f.txt', ' M f.txt\n'],
    ['git log --format=%s', 'first\n'],
    ['git log --format=%s @', 'first\n'],
    ['git diff --stat', / f\.txt \| 3/],
    ['git diff', /\+changed/],
    ['git show --format=%s --stat', /first/],
    ['git -C src rev-parse --show-prefix', 'src/\n'],
    ['git blame -s HEAD -- f.txt', /b\n/],
    ['git grep --cached -n a', 'f.txt:2:a\n'],
    ['git --version', /^git version/],
  ])('works in an ordinary repository: %s', async (line, output) => {
    repository();
    const result = await fixture.attempt('git', line);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.output).toMatch(output);
  });
});
