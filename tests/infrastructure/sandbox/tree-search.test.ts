import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linkProblem } from '../../../src/infrastructure/sandbox/tree-search.js';
import { CommandFixture } from './command-fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';

/** Folders of the workspace in which links lead out of it: as somebody's repository may well have them. */
describe('links in folders that arguments name', () => {
  let fixture: CommandFixture;
  beforeEach(() => {
    fixture = new CommandFixture();
    const secret = join(fixture.out, 'secret.txt');
    fixture.write('ws/secret.txt', 'PWNED');
    fixture.write('ws/sub/pwned', 'PWNED');
    fixture.write('ws/tree/sub/secret.txt', 'PWNED');
    for (const folder of ['d/tree/sub', 'd/deep', 'free'])
      mkdirSync(join(fixture.root, folder), { recursive: true });
    symlinkSync(secret, join(fixture.root, 'd/secret.txt'));
    symlinkSync(secret, join(fixture.root, 'd/tree/sub/secret.txt'));
    symlinkSync(fixture.out, join(fixture.root, 'd/sub'));
  });
  afterEach(() => fixture.remove());

  const attempt = (line: string) => {
    const all = [`${fixture.root}/**`];
    return fixture.attempt(line.split(' ')[0] ?? '', line, { read: all, write: all });
  };

  it.each([
    'cp secret.txt d',
    'cp secret.txt d/',
    'cp ./secret.txt -t d',
    'cp -td secret.txt',
    'cp --target-directory=d secret.txt',
    'cp f.txt secret.txt d',
    'cp --parents sub/pwned d',
    'cp --par sub/pwned d',
    'cp -r tree d',
    'cp -a tree d',
    'cp -R tree/. d/tree',
    'cp -r d/. .',
    'cp -rT tree d/tree',
    'cp -r d copy',
    'cp -s f.txt link',
    'install secret.txt d',
    'install -t d secret.txt',
    'mv secret.txt d',
    'mv d moved',
    'ln secret.txt d',
    'ln -s f.txt link',
    'tar cf x.tar -C d sub/secret.txt',
    'tar -cf x.tar --directory=d sub/secret.txt',
    'gzip -rc d',
    'gzip -rf d',
    'git -C d diff --no-index /dev/null sub/secret.txt',
    'git -C d hash-object sub/secret.txt',
    'cat gone/../../out/secret.txt',
    'cat d/deep/gone/../../f.txt',
    'getent shadow root',
    'getent passwd',
  ])('are not followed: %s', async (line) => {
    expect((await attempt(line)).code).toBe(DENIED);
    expect(fixture.harm()).toEqual([]);
    expect(readdirSync(fixture.out)).toEqual(['secret.txt']);
  });

  it('are not followed by a later command under a new name', async () => {
    const all = [`${fixture.root}/**`];
    for (const line of [
      'mv d e; cat e/secret.txt',
      'cp -r d e && cat e/secret.txt',
      'ln -s d e; cat e/secret.txt',
    ]) {
      const { code, output } = await fixture.attempt('mv cp ln cat', line, { read: all, write: all });
      expect([line, code]).toEqual([line, DENIED]);
      expect(output).not.toContain('TOP-SECRET');
    }
  });

  it.each([
    ['cp f.txt free', 'free/f.txt'],
    ['cp -r tree free', 'free/tree/sub/secret.txt'],
    ['cp -r tree/sub .', 'sub/secret.txt'],
    ['cp f.txt d', 'd/f.txt'],
    ['cp -r tree d/deep', 'd/deep/tree/sub/secret.txt'],
    ['mv tree free', 'free/tree/sub/secret.txt'],
    ['install f.txt free', 'free/f.txt'],
    ['ln f.txt free', 'free/f.txt'],
    ['gzip -k f.txt', 'f.txt.gz'],
    ['tar cf x.tar tree', 'x.tar'],
  ])('do not keep others from work: %s', async (line, made) => {
    expect((await attempt(line)).code).toBeUndefined();
    expect(readFileSync(join(fixture.root, made)).length).toBeGreaterThan(0);
  });

  it.each([
    'grep -r . .',
    'grep -r x',
    'rg x',
    'grep -rh . src',
    'cp -r src copy',
    'mv src copy',
    'tar cf x.tar src',
    'rm -rf src',
    'chmod -R 777 src',
  ])('are not the only way to what is forbidden in a folder: %s', async (line) => {
    fixture.write('ws/src/a/my.key', 'K');
    const all = [`${fixture.root}/**`];
    const rules = [`${fixture.root}/src/a`, `${fixture.root}/**/*.key`, `${fixture.root}/{src,x}/a/**`];
    for (const rule of rules) {
      const denying = { read: all, write: all, deny: [rule] };
      expect((await fixture.attempt(line.split(' ')[0] ?? '', line, denying)).code).toBe(DENIED);
    }
    expect(readFileSync(join(fixture.root, 'src/a/my.key'), 'utf8')).toBe('K');
  });

  it('leaves a folder alone in which a rule finds nothing', async () => {
    const all = [`${fixture.root}/**`];
    const deny = [`${fixture.root}/gone/**`, `${fixture.root}/**/*.key`, `${fixture.out}/**`];
    const { output } = await fixture.attempt('grep', 'grep -rh PWNED tree', { read: all, write: all, deny });
    expect(output).toContain('PWNED');
  });

  it('are found at any depth, and not where there is no folder', () => {
    expect(linkProblem(join(fixture.root, 'd/tree'))).toContain('is a link');
    expect(linkProblem(join(fixture.root, 'tree'))).toBeUndefined();
    expect(linkProblem(join(fixture.root, 'f.txt'))).toBeUndefined();
    expect(linkProblem(join(fixture.root, 'gone'))).toBeUndefined();
  });
});
