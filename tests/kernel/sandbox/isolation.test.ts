import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childProgram } from '../../support/child-program.js';
import { KernelFixture } from './kernel-fixture.js';

describe('the walls of a sandbox', () => {
  let fixture: KernelFixture;
  let listener: Server;
  let connections = 0;
  let port = 0;
  beforeAll(async () => {
    process.env.TOOLGATE_TEST_SECRET = 'sk-TOPSECRET';
    fixture = new KernelFixture();
    listener = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, '0.0.0.0', resolve));
    port = (listener.address() as { port: number }).port;
  });
  afterAll(() => {
    Reflect.deleteProperty(process.env, 'TOOLGATE_TEST_SECRET');
    listener.close();
    fixture.remove();
  });

  it('leave no capability, and no way to mount, unshare or change the kernel', async () => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const output = await fixture.output(`
      grep Cap /proc/self/status | tr -d '\\t\\n'; echo
      mount -o remount,rw,bind /usr && echo BROKEN; mount -t tmpfs none /tmp && echo BROKEN; umount /usr && echo BROKEN
      unshare -Ur true && echo BROKEN; unshare -m true && echo BROKEN; chroot / true && echo BROKEN
      mknod d b 8 0 && echo BROKEN; nsenter -t 1 -m true && echo BROKEN
      echo '|/bin/evil' > /proc/sys/kernel/core_pattern && echo BROKEN; echo b > /proc/sysrq-trigger && echo BROKEN
      echo 1 > /proc/sys/vm/drop_caches && echo BROKEN; echo end`);
    expect(output).toMatch(/CapEff:0{16}CapBnd:0{16}/);
    expect(output).toContain('end');
    expect(output).not.toContain('BROKEN');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('let nothing out to any network, and connect inside', async () => {
    const script = `
      const net = require('net');
      const attempt = (port, host) => new Promise((done) => net.connect(port, host)
        .on('connect', () => done('open')).on('error', (e) => done(e.code)));
      (async () => {
        const own = net.createServer((s) => s.end()).listen(0, 'localhost', async () => {
          console.log(await attempt(${port}, '127.0.0.1'), await attempt(443, '1.1.1.1'), await attempt(own.address().port, 'localhost'));
          try { require('net').connect('/run/x.sock').on('error', (e) => { console.log(e.code); process.exit(); }); } catch (e) { console.log(e.code); }
        });
      })();`;
    fixture.write('ws/net.js', script);
    expect(await fixture.output('node net.js')).toMatch(/^ECONNREFUSED ENETUNREACH open\nE(PERM|ACCES)\n$/);
    expect(connections).toBe(0);
  });

  it('show no process and no secret of the host', async () => {
    const output = await fixture.output(
      'cat /proc/1/environ /proc/1/cmdline /proc/*/environ | tr "\\0" "\\n"; ls /proc | grep -c "^[0-9]"; hostname; echo $PPID $$',
    );
    expect(output).not.toContain('TOPSECRET');
    expect(output).not.toContain('--ro-bind');
    expect(output).toMatch(/\n[1-9]\nsandbox\n1 2\n$/);
  });

  it('keep the descriptors of the host out', async () => {
    const output = await fixture.output(
      'for f in /proc/self/fd/*; do [ "$(basename $f)" -gt 2 ] && readlink $f; done',
    );
    // Those that the shell opens itself are gone when they are looked at.
    expect(
      output.split('\n').filter((target) => target !== '' && target !== '/dev/null' && target !== '/null'),
    ).toEqual([]);
  });

  it('keep out descriptors that the host itself was left with', () => {
    const program = childProgram(
      fixture.base,
      `import { BubblewrapSandbox } from '#src/infrastructure/sandbox/bubblewrap/bubblewrap-sandbox.js';
       import { NO_PERMISSIONS } from '#src/domain/restrictions.js';
       const sandbox = new BubblewrapSandbox({ warm: 0 });
       const permissions = { ...NO_PERMISSIONS, commands: 'any' as const };
       const policy = { workspace: ${JSON.stringify(fixture.root)}, permissions, onUnavailable: 'deny' as const };
       const commandLine = 'cat /proc/self/fd/* 2>/dev/null; ls -l /proc/self/fd';
       void sandbox.plan(policy, { kind: 'command-line', commandLine })
         .then((plan) => sandbox.run(plan, { signal: new AbortController().signal }))
         .then(({ output }) => console.log(output));`,
    );
    const secret = openSync(fixture.write('out/open-secret', 'TOP-SECRET'), 'r');
    const unused = Array.from({ length: 21 }, () => 'ignore' as const);
    const stdio = ['ignore', 'pipe', 'pipe', ...unused, secret] as const;
    const { stdout } = spawnSync(process.execPath, [program], { stdio: [...stdio], encoding: 'utf8' });
    closeSync(secret);
    expect(stdout).toContain('total');
    expect(stdout).not.toContain('SECRET');
    expect(stdout).not.toContain('open-secret');
  });

  it('say what holds', async () => {
    const { enforcement } = await fixture.shell('true');
    expect(enforcement).toMatchObject({
      backend: 'bubblewrap',
      fsRead: 'kernel',
      fsWrite: 'kernel',
      exec: 'none',
      network: 'kernel',
      killTree: 'kernel',
      env: 'kernel',
    });
    const { enforcement: listed } = await fixture.shell('true', { commands: ['true'] });
    expect(listed.exec).toBe('in-process');
  });

  it('stand when another call puts a link where a root is being mounted', async () => {
    fixture.write('out/secret.txt', 'TOP-SECRET');
    const sub = join(fixture.root, 'sub');
    mkdirSync(sub);
    const policy = fixture.workspacePolicy({ read: [], write: [`${sub}/**`] });
    await fixture.shellWith(policy, 'true');
    const flip = `rename "sub", "a"; symlink "${fixture.out}", "sub"; select undef, undef, undef, 0.002; unlink "sub"; rename "a", "sub"`;
    const flipping = fixture.shell(
      `perl -e '$e = time + 3; while (time < $e) { ${flip}; select undef, undef, undef, 0.004 }'`,
    );
    const seen: string[] = [];
    for (let round = 0; round < 60; round++) {
      const run = fixture.shellWith(policy, `cat ${sub}/secret.txt; echo x > ${sub}/made`);
      seen.push(await run.then(({ output }) => output, String));
    }
    await flipping;
    expect(seen.join()).not.toContain('TOP-SECRET');
    expect(fixture.has('out/made')).toBe(false);
    // Both must have happened, or nothing was tried.
    expect(seen.some((text) => text.includes('No such file'))).toBe(true);
    expect(seen.some((text) => text.includes('exchanged') || text.includes('could not be set up'))).toBe(
      true,
    );
  });
});
