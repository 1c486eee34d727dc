import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Permissions } from '../../src/domain/restrictions.js';
import type { AllowedPath, FileAccess, FileScope } from '../../src/ports/file-access.js';
import { codeOf, Fixture } from '../infrastructure/sandbox/fixture.js';

/** What every FileAccess promises. */
export function describeFileAccessContract(name: string, make: () => FileAccess): void {
  describe(`${name} as a FileAccess`, () => {
    let fixture: Fixture;
    let files: FileAccess;
    let everything: Partial<Permissions>;
    beforeEach(() => {
      fixture = new Fixture();
      files = make();
      everything = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
    });
    afterEach(() => fixture.remove());

    const scopeOf = (more: Partial<Permissions> = everything): FileScope => ({
      workspace: fixture.root,
      permissions: fixture.permissions(more),
    });
    const read = async (path: string, scope = scopeOf(), maxBytes = 1000) => {
      const slice = await files.read(await files.resolve(path, 'read', scope), { maxBytes, scope });
      return Buffer.from(slice.bytes).toString('utf8');
    };
    const write = async (path: string, content: string, append = false, scope = scopeOf()) =>
      files.write(await files.resolve(path, 'write', scope), content, { append, scope });

    it('reads and writes below an allowed root, by relative and by absolute path', async () => {
      await write('src/new/deep/a.txt', 'héllo');
      expect(await read('src/new/deep/a.txt')).toBe('héllo');
      expect(await read(`${fixture.root}/src/../src/./new//deep/a.txt`)).toBe('héllo');
    });

    it('gives the real path, without links', async () => {
      fixture.write('ws/src/a.txt', 'A');
      symlinkSync('src', join(fixture.root, 'alias'));
      const allowed = await files.resolve('alias/a.txt', 'read', scopeOf());
      expect({ path: allowed.path, mode: allowed.mode }).toEqual({
        path: join(fixture.root, 'src/a.txt'),
        mode: 'read',
      });
    });

    it('refuses everything to a tool without permissions', async () => {
      fixture.write('ws/src/a.txt', 'A');
      expect(await codeOf(read('src/a.txt', scopeOf({})))).toBe('EXECUTION.SANDBOX.DENIED');
      expect(await codeOf(write('src/b.txt', 'B', false, scopeOf({})))).toBe('EXECUTION.SANDBOX.DENIED');
    });

    it('takes reading and writing apart', async () => {
      const scope = scopeOf({ read: [`${fixture.root}/**`], write: [`${fixture.root}/src/*.ts`] });
      await write('src/a.ts', 'A', false, scope);
      expect(await read('src/a.ts', scope)).toBe('A');
      expect(await codeOf(write('src/a.js', 'A', false, scope))).toBe('EXECUTION.SANDBOX.DENIED');
      const allowed = await files.resolve('src/a.ts', 'read', scope);
      expect(await codeOf(files.write(allowed, 'B', { append: false, scope }))).toBe(
        'EXECUTION.SANDBOX.DENIED',
      );
    });

    it('lets deny win over allow, and protect over write', async () => {
      fixture.write('ws/src/secret.txt', 'S');
      const scope = scopeOf({
        ...everything,
        deny: [`${fixture.root}/**/secret*`],
        protect: [`${fixture.root}/docs/**`],
      });
      expect(await codeOf(read('src/secret.txt', scope))).toBe('EXECUTION.SANDBOX.DENIED');
      expect(await codeOf(write('docs/a.md', 'A', false, scope))).toBe('EXECUTION.SANDBOX.DENIED');
      await write('src/a.md', 'A', false, scope);
      expect(await read('src/a.md', scope)).toBe('A');
    });

    it('accepts no path that it did not check itself', async () => {
      fixture.write('ws/src/a.txt', 'A');
      const forged = { path: join(fixture.root, 'src/a.txt'), mode: 'read' } as unknown as AllowedPath;
      expect(await codeOf(files.read(forged, { maxBytes: 10, scope: scopeOf() }))).toBe(
        'EXECUTION.SANDBOX.DENIED',
      );
      const copied = { ...(await files.resolve('src/a.txt', 'read', scopeOf())) } as AllowedPath;
      expect(await codeOf(files.read(copied, { maxBytes: 10, scope: scopeOf() }))).toBe(
        'EXECUTION.SANDBOX.DENIED',
      );
    });

    it('reads no more than asked, and says how much there is', async () => {
      fixture.write('ws/src/long.txt', 'x'.repeat(3000));
      const scope = scopeOf();
      const slice = await files.read(await files.resolve('src/long.txt', 'read', scope), {
        maxBytes: 100,
        scope,
      });
      expect([slice.bytes.length, slice.totalBytes]).toEqual([100, 3000]);
    });

    it('says that a file is missing, but only where one may look', async () => {
      expect(await codeOf(read('src/none.txt'))).toBe('USER.FILE.NOT_FOUND');
      expect(await codeOf(read(`${fixture.out}/none.txt`))).toBe('EXECUTION.SANDBOX.DENIED');
      fixture.write('out/there.txt', 'T');
      expect(await codeOf(read(`${fixture.out}/there.txt`))).toBe('EXECUTION.SANDBOX.DENIED');
    });

    it('neither reads nor writes a folder', async () => {
      expect(await codeOf(read('src'))).toBe('SYSTEM.IO.READ_FAILED');
      expect(await codeOf(write('src', 'x'))).toBe('SYSTEM.IO.WRITE_FAILED');
    });

    it('changes nothing while resolving', async () => {
      await files.resolve('src/new/deep/a.txt', 'write', scopeOf());
      expect(existsSync(join(fixture.root, 'src/new'))).toBe(false);
    });

    it('appends to what is there, also from several calls at once', async () => {
      await write('src/log.txt', '0');
      await Promise.all([1, 2, 3, 4, 5].map((digit) => write('src/log.txt', String(digit), true)));
      expect([...(await read('src/log.txt'))].sort().join('')).toBe('012345');
    });

    it('replaces a file whole: its mode stays, other names of it keep the old content', async () => {
      const file = fixture.script('ws/src/run.sh', 'true');
      linkSync(file, join(fixture.out, 'other'));
      await write('src/run.sh', 'new');
      expect(readFileSync(file, 'utf8')).toBe('new');
      expect(statSync(file).mode & 0o777).toBe(0o755);
      expect(readFileSync(join(fixture.out, 'other'), 'utf8')).toBe('#!/bin/sh\ntrue\n');
    });

    it('leaves nothing beside a file, whether writing worked or not', async () => {
      await write('src/a.txt', 'A');
      mkdirSync(join(fixture.root, 'src/dir'));
      await codeOf(write('src/dir', 'B'));
      expect(readdirSync(join(fixture.root, 'src')).sort()).toEqual(['a.txt', 'dir']);
    });
  });
}
