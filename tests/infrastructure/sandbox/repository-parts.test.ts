import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedFileAccess } from '../../../src/infrastructure/sandbox/guarded-file-access.js';
import { repositoryProblem } from '../../../src/infrastructure/sandbox/repository-parts.js';
import type { FileScope } from '../../../src/ports/file-access.js';
import { codeOf, Fixture } from './fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';

describe('parts of a repository', () => {
  let fixture: Fixture;
  let scope: FileScope;
  const files = new GuardedFileAccess();
  beforeEach(() => {
    fixture = new Fixture();
    const all = [`${fixture.root}/**`];
    scope = { workspace: fixture.root, permissions: fixture.permissions({ read: all, write: all }) };
  });
  afterEach(() => fixture.remove());

  const write = async (name: string) => {
    const path = await files.resolve(name, 'write', scope);
    await files.write(path, 'x', { append: false, scope });
  };

  it.each([
    ['HEAD objects/x config refs/x'],
    ['refs/x objects/x config HEAD'],
    ['HEAD refs/heads/main config objects/pack/x'],
    ['config HEAD commondir'],
    ['commondir config HEAD'],
    ['objects/x refs/x head'],
  ])('cannot be written one by one: the last of %s is refused', async (names) => {
    const [last = '', ...earlier] = names.split(' ').reverse();
    for (const name of earlier.reverse()) await write(`docs/${name}`);
    expect(await codeOf(write(`docs/${last}`))).toBe(DENIED);
    expect(existsSync(join(fixture.root, 'docs', last))).toBe(false);
  });

  it('cannot be written at once either', async () => {
    for (const name of ['config', 'objects/x']) await write(`docs/${name}`);
    const codes = await Promise.all([codeOf(write('docs/HEAD')), codeOf(write('docs/refs/x'))]);
    expect(codes).toContain(DENIED);
    expect(['HEAD', 'refs'].every((name) => existsSync(join(fixture.root, 'docs', name)))).toBe(false);
  });

  it.each([
    'config',
    'CONFIG',
    'config.worktree',
    'commondir',
    'HEAD',
    'hooks/post-checkout',
    'info/attributes',
    'modules/m/config',
    'worktrees/w/config.worktree',
  ])('say what git runs, and are not written where a repository is: %s', async (name) => {
    makeRepository();
    expect(await codeOf(write(`bare/${name}`))).toBe(DENIED);
    expect(existsSync(join(fixture.root, 'bare', name)) && name !== 'HEAD').toBe(false);
  });

  it('leave the rest of such a folder alone, and folders that only look a little like it', async () => {
    makeRepository();
    for (const name of ['bare/main/src/config', 'bare/refs/heads/x', 'src/config', 'src/hooks/use-x.ts'])
      await write(name);
    for (const name of ['src/objects/a.ts', 'src/refs/b.ts', 'src/info/x', 'src/modules/y'])
      await write(name);
    expect(existsSync(join(fixture.root, 'src/refs/b.ts'))).toBe(true);
  });

  it('are seen from the root of the file system on', () => {
    expect(repositoryProblem('/')).toBeUndefined();
    expect(repositoryProblem('/config')).toBeUndefined();
  });

  function makeRepository(): void {
    fixture.write('ws/bare/HEAD', 'ref: refs/heads/main\n');
    for (const name of ['objects', 'refs']) mkdirSync(join(fixture.root, 'bare', name));
  }
});
