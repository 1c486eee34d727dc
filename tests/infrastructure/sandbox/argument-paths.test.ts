import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandFixture } from './command-fixture.js';

const DENIED = 'EXECUTION.SANDBOX.DENIED';

describe('paths in arguments', () => {
  let fixture: CommandFixture;
  beforeEach(() => {
    fixture = new CommandFixture();
    symlinkSync(fixture.out, join(fixture.root, 'link'));
    fixture.write('ws/list', `${fixture.out}/secret.txt\n`);
    fixture.write('ws/@list', '@\n');
  });
  afterEach(() => fixture.remove());

  it.each([
    ['cat', 'cat {OUT}/secret.txt'],
    ['cat', 'cat ../out/secret.txt'],
    ['cat', 'cat link/secret.txt'],
    ['cat', 'cat link/../out/secret.txt'],
    ['grep', 'grep -f {OUT}/secret.txt f.txt'],
    ['grep', 'grep -f{OUT}/secret.txt f.txt'],
    ['grep', 'grep --regexp=T {OUT}/secret.txt'],
    ['grep', 'grep -e T --include -e {OUT}/secret.txt'],
    ['grep', 'grep -rne T {OUT}'],
    ['date', 'date -f {OUT}/secret.txt'],
    ['date', 'date 010100002030'],
    ['head', 'head --bytes=5 {OUT}/secret.txt'],
    ['wc', 'wc --files0-from={OUT}/secret.txt'],
    ['diff', 'diff f.txt --to-file={OUT}/secret.txt'],
    ['sed', 'sed -i.bak s/T/b/ {OUT}/secret.txt'],
    ['sed', 'sed p {OUT}/secret.txt'],
    ['awk', "awk '{print}' {OUT}/secret.txt"],
    ['xxd', 'xxd -r f.txt {OUT}/pwned'],
    ['xxd', 'xxd -r f.txt g.txt'],
    ['uniq', 'uniq f.txt {OUT}/pwned'],
    ['uniq', 'uniq -- f.txt pwned'],
    ['cp', 'cp f.txt {OUT}/pwned'],
    ['cp', 'cp --target-directory={OUT} f.txt'],
    ['cp', 'cp -t{OUT} f.txt'],
    ['cp', 'cp f.txt .git/hooks/pre-commit'],
    ['tee', 'tee {OUT}/pwned'],
    ['dd', 'dd if=f.txt of={OUT}/pwned'],
    ['touch', 'touch link/pwned'],
    ['ln', 'ln -s /etc/passwd x'],
    ['git', 'git -C {OUT} status'],
    ['git', 'git diff --no-index /dev/null {OUT}/secret.txt'],
    ['find', 'find {OUT} -name secret.txt'],
    ['ls', 'ls /proc/self/environ'],
    ['grep', 'grep -Rn TOP .'],
    ['find', 'find -L . -name secret.txt'],
    ['diff', 'diff -r src link'],
    ['cp', 'cp -rL . src/copy'],
    ['sort', 'sort --files0-from=list'],
    ['tar', 'tar cf x.tar -T list'],
    ['tar', 'tar chf x.tar .'],
    ['ps', 'ps auxe'],
    ['strings', 'strings @list'],
    ['nm', 'nm @list'],
    ['cat', 'cat -- @list'],
    ['md5sum', 'md5sum -c list'],
    ['sha256sum', 'sha256sum --quiet --che list'],
    ['b2sum', 'b2sum -bc list'],
    ['cksum', 'cksum -a md5 -c list'],
    ['ls', 'ls -RL .'],
    ['ls', 'ls -H .'],
    ['ls', 'ls --dereference -R'],
    ['du', 'du -aL .'],
    ['du', 'du -aD link'],
    ['du', 'du --files0-from=list'],
    ['chown', 'chown -RL 0 .'],
    ['chgrp', 'chgrp -RH 0 .'],
    ['xz', 'xz --files=list'],
    ['shuf', 'shuf -o g.txt f.txt'],
    ['iconv', 'iconv -f utf8 -o {OUT}/pwned f.txt'],
    ['file', 'file -f list'],
    ['diff3', 'diff3 --diff-program=./p.sh f.txt f.txt f.txt'],
    ['split', 'split -l 1 f.txt'],
    ['mv', 'mv {OUT}/secret.txt x'],
    ['mv', 'mv f.txt link/pwned'],
    ['install', 'install f.txt {OUT}/pwned'],
    ['join', 'join f.txt {OUT}/secret.txt'],
    ['tac', 'tac link/secret.txt'],
    ['git', 'git hash-object -w --stdin-paths'],
    ['cat', `cat ${'a=b,'.repeat(200)}`],
  ])('%s: refuses %j', async (commands, line) => {
    const more = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
    for (const permissions of [{}, more]) {
      const result = await fixture.attempt(commands, line, permissions);
      expect(result).toMatchObject({ code: DENIED });
      expect(result.output).not.toContain('TOP-SECRET');
    }
    expect(fixture.harm()).toEqual([]);
  });

  it.each([
    ['cp', 'cp f.txt src/g.txt'],
    ['dd', 'dd if=f.txt of=src/g.txt'],
    ['sed', 'sed -i s/a/c/ f.txt'],
    ['tee', 'tee src/g.txt /dev/null'],
    ['ls', 'ls -la src .'],
    ['ls', 'ls -lR -w 80 .'],
    ['cat', 'cat ./@list'],
    ['echo', 'echo @list'],
    ['grep', 'grep -c @ @list'],
    ['date', 'date -u -d @0'],
    ['touch', 'touch -d @0 src/g.txt'],
    ['md5sum', 'md5sum f.txt'],
    ['cksum', 'cksum -a md5 f.txt'],
    ['du', 'du -ad 1 .'],
    ['chmod', 'chmod -R u+r src'],
    ['shuf', 'shuf -n 1 f.txt'],
    ['iconv', 'iconv -f utf8 -t utf16 f.txt'],
    ['mv', 'mv f.txt src/g.txt'],
    ['join', 'join f.txt f.txt'],
    ['tac', 'tac f.txt'],
  ])('%s: runs %j', async (commands, line) => {
    const more = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
    expect(await fixture.attempt(commands, line, more)).toMatchObject({ exitCode: 0 });
  });

  it('leaves words alone that are no paths, where only some paths are listed', async () => {
    const more = { read: [`${fixture.root}/src/**`] };
    fixture.write('ws/src/a.txt', 'one\ntwo\n');
    expect(await fixture.attempt('head', 'head -n 1 src/a.txt', more)).toMatchObject({ output: 'one\n' });
    expect(await fixture.attempt('head', 'head -n 1 f.txt', more)).toMatchObject({ code: DENIED });
  });

  it('refuses what a deny rule names, wherever it stands in a word', async () => {
    const more = { read: [`${fixture.root}/**`], deny: [`${fixture.root}/f.txt`] };
    for (const line of ['cat f.txt', 'git show HEAD:f.txt', 'cat ./src/../f.txt']) {
      expect(await fixture.attempt('cat git', line, more)).toMatchObject({ code: DENIED });
    }
  });
});
