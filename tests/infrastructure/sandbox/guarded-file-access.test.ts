import { mkdirSync, readdirSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openNamedRoot } from '../../../src/infrastructure/sandbox/directory.js';
import { GuardedFileAccess } from '../../../src/infrastructure/sandbox/guarded-file-access.js';
import type { FileScope } from '../../../src/ports/file-access.js';
import { describeFileAccessContract } from '../../contracts/file-access.contract.js';
import { codeOf, Fixture } from './fixture.js';

describeFileAccessContract('GuardedFileAccess', () => new GuardedFileAccess());
describeFileAccessContract(
  'GuardedFileAccess without /proc',
  () => new GuardedFileAccess({ openRoot: openNamedRoot }),
);

describe('GuardedFileAccess', () => {
  let fixture: Fixture;
  let scope: FileScope;
  const files = new GuardedFileAccess();
  beforeEach(() => {
    fixture = new Fixture();
    const all = [`${fixture.root}/src/**`];
    scope = { workspace: fixture.root, permissions: fixture.permissions({ read: all, write: all }) };
  });
  afterEach(() => fixture.remove());

  it('checks again when a path is used: a folder that became a link leads nowhere', async () => {
    const path = await files.resolve('src/x', 'write', scope);
    renameSync(join(fixture.root, 'src'), join(fixture.root, 'old'));
    symlinkSync(fixture.out, join(fixture.root, 'src'));
    expect(await codeOf(files.write(path, 'PWNED', { append: false, scope }))).toBe(
      'EXECUTION.SANDBOX.DENIED',
    );
    expect(readdirSync(fixture.out)).toEqual([]);
  });

  it('refuses a root inside of the workspace that is a link out of it, also on first use', async () => {
    renameSync(join(fixture.root, 'src'), join(fixture.root, 'old'));
    symlinkSync(fixture.out, join(fixture.root, 'src'));
    await expect(files.resolve('src/x', 'write', scope)).rejects.toThrow('leads out of the workspace');
  });

  it('makes missing folders only below the workspace or an allowed root that exists', async () => {
    const gone = join(fixture.base, 'gone');
    const outside = { ...scope, permissions: fixture.permissions({ write: [`${gone}/**`] }) };
    expect(await codeOf(files.resolve(`${gone}/a/b`, 'write', outside))).toBe('EXECUTION.SANDBOX.DENIED');
    mkdirSync(gone);
    const path = await files.resolve(`${gone}/a/b`, 'write', outside);
    await files.write(path, 'B', { append: false, scope: outside });
    expect(readdirSync(join(gone, 'a'))).toEqual(['b']);
  });

  it('takes a name with a slash at its end for a folder, and writes no file there', async () => {
    await expect(files.resolve('src/new/', 'write', scope)).rejects.toThrow('it names a folder, not a file');
    expect(readdirSync(join(fixture.root, 'src'))).not.toContain('new');
  });

  it('names what is wrong with a pattern', async () => {
    const read = (pattern: string) =>
      files.resolve('src/a', 'read', { ...scope, permissions: fixture.permissions({ read: [pattern] }) });
    await expect(read('/**')).rejects.toThrow('begins at the root of the file system');
    await expect(read('src/**')).rejects.toThrow('is not absolute');
    await expect(read(`${fixture.root}/../**`)).rejects.toThrow('contains ".."');
    await expect(read(`${fixture.root}/{1..9}`)).rejects.toThrow('contains a range');
    await expect(read(`${fixture.root}/${'{a,b}'.repeat(7)}`)).rejects.toThrow('more than 64 alternatives');
    await expect(read(`${fixture.root}/${'a'.repeat(1100)}`)).rejects.toThrow('longer than 1024');
  });

  it('leaves no descriptor open, whatever happens', async () => {
    fixture.write('ws/src/a.txt', 'A');
    // Of the places that are walked here: whatever else the process has open may be closed meanwhile.
    const inUse = () => openPlaces().filter((path) => path === '/' || path.startsWith(fixture.base));
    const before = inUse();
    for (let round = 0; round < 50; round++) {
      await files.read(await files.resolve('src/a.txt', 'read', scope), { maxBytes: 10, scope });
      await files.write(await files.resolve('src/b/c.txt', 'write', scope), 'C', { append: true, scope });
      await codeOf(files.resolve('/etc/passwd', 'read', scope));
      await codeOf(files.resolve('src/none/none', 'read', scope));
      await codeOf(files.resolve('src/a.txt/none', 'read', scope));
      await codeOf(files.resolve('../../..', 'read', scope));
    }
    expect(inUse()).toEqual(before);
  });
});

function openPlaces(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // The one that listed the folder itself.
      return [];
    }
  });
}
