import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KernelFixture } from './kernel-fixture.js';

const SET_USER_OR_GROUP = 0o6000;

describe('files that lend the powers of their owner', () => {
  let fixture: KernelFixture;
  beforeEach(() => {
    fixture = new KernelFixture();
  });
  afterEach(() => fixture.remove());

  it('cannot be made, by whatever call', async () => {
    const { output } = await fixture.shell(`
      cp /bin/sh a; chmod u+s a && echo MADE; chmod 2755 a && echo MADE; chmod 6755 a && echo MADE
      perl -e 'use Fcntl; umask 0; chmod(04755, "a") and print "MADE\\n"; open($f, "<", "a"); chmod(04755, $f) and print "MADE\\n";
        sysopen($g, "b", O_CREAT|O_WRONLY, 04755) and print "MADE\\n"'
      mkfifo -m 4755 c; install -m 4755 a d; cp -p /bin/su e 2>/dev/null; echo end`);
    expect(output).toContain('end');
    expect(output).not.toContain('MADE');
    const modes = ['a', 'b', 'c', 'd', 'e']
      .filter((name) => fixture.has(`ws/${name}`))
      .map((name) => statSync(join(fixture.root, name)).mode & SET_USER_OR_GROUP);
    expect(modes.every((mode) => mode === 0)).toBe(true);
    expect(modes.length).toBeGreaterThan(0);
  });

  it('are all that is refused: other modes can be set, and programs run', async () => {
    const { output } = await fixture.shell(`
      umask 022; echo x > a; chmod 755 a; chmod +t src; mkdir -m 700 m; stat -c %a a src m
      tar cf t.tar a m && mkdir out && tar xpf t.tar -C out && stat -c %a out/a
      git init -q g && git -C g -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git -C g log --format=%s | cat
      python3 -c 'import os, tempfile; tempfile.TemporaryFile(); os.chmod("a", 0o640)' && stat -c %a a`);
    expect(output.split('\n').slice(0, 6)).toEqual(['755', '1755', '700', '755', 'one', '640']);
  });
});
