import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  GUARDED_SYSCALLS,
  REFUSED_SYSCALLS,
} from '../../src/infrastructure/sandbox/bubblewrap/seccomp-syscalls.js';
import { runBare } from './bare-bwrap.js';

const EPERM = 1;
const column = process.arch === 'arm64' ? 1 : 0;

/** Makes one system call with these numbers and prints its errno, 0 where it succeeded. Perl can do it by itself. */
async function errnoOf(nr: number, ...args: readonly number[]): Promise<number> {
  const script = '($n, @a) = map { $_ + 0 } @ARGV; print syscall($n, @a) == -1 ? $! + 0 : 0';
  const { output } = await runBare(['perl', '-e', script, ...[nr, ...args].map(String)]);
  return Number(output);
}

const call = (name: keyof typeof GUARDED_SYSCALLS) => GUARDED_SYSCALLS[name][column];
const refused = (name: string) => REFUSED_SYSCALLS[name]?.[column] ?? -1;

const PROGRAMS: readonly (readonly [name: string, binary: string, script: string, output: string])[] = [
  [
    'a pipeline of bash',
    '/bin/bash',
    'echo {1..3} | tr " " "\\n" | sort -r | head -1 | cat; cat <(echo x)',
    '3\nx\n',
  ],
  [
    'git',
    '/usr/bin/git',
    'git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git log --format=%s | cat',
    'one\n',
  ],
  [
    'a compiler',
    '/usr/bin/gcc',
    'echo "int main(void) { return 0; }" >a.c && gcc a.c && ./a.out && echo ran',
    'ran\n',
  ],
  [
    'python',
    '/usr/bin/python3',
    "/usr/bin/python3 -c \"import subprocess, threading; t = threading.Thread(target=lambda: print(subprocess.check_output(['echo', 'hi']).decode(), end='')); t.start(); t.join()\"",
    'hi\n',
  ],
  ['the name service', '/usr/bin/getent', 'getent hosts 127.0.0.1 >/dev/null; echo $?', '0\n'],
  ['curl', '/usr/bin/curl', 'curl -s http://localhost:1/; echo $?', '7\n'],
];

describe('the seccomp filter in a real sandbox', () => {
  it.each(PROGRAMS.filter(([, binary]) => existsSync(binary)))(
    'lets %s run',
    async (_, __, script, output) => {
      expect(await runBare(['bash', '-c', script])).toEqual({ code: 0, output });
    },
  );

  it('lets Node run: threads, children with pipes, sockets', async () => {
    const script = `
      const { execFileSync, fork } = require('node:child_process');
      const { Worker } = require('node:worker_threads');
      const net = require('node:net');
      console.log(execFileSync('echo', ['child'], { encoding: 'utf8' }).trim());
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage("worker")', { eval: true });
      worker.once('message', (text) => {
        console.log(text);
        const server = net.createServer((socket) => socket.end('socket')).listen(0, '127.0.0.1', () => {
          net.connect(server.address().port, '127.0.0.1').on('data', (data) => { console.log(String(data)); server.close(); });
        });
      });`;
    expect(await runBare([process.execPath, '-e', script])).toEqual({
      code: 0,
      output: 'child\nworker\nsocket\n',
    });
  });

  it('refuses sockets that are not TCP or UDP', async () => {
    const [unix, netlink, packet, alg, vsock] = await Promise.all(
      [1, 16, 17, 38, 40].map((family) => errnoOf(call('socket'), family, family === 16 ? 3 : 1, 0)),
    );
    expect({ unix, netlink, packet, alg, vsock }).toEqual({
      unix: EPERM,
      netlink: EPERM,
      packet: EPERM,
      alg: EPERM,
      vsock: EPERM,
    });
    expect(await errnoOf(call('socket'), 2, 1, 0)).toBe(0);
    expect(await errnoOf(call('socket'), 2, 3, 1)).toBe(EPERM);
  });

  it.each([
    'unshare',
    'setns',
    'mount',
    'fsopen',
    'open_tree',
    'ptrace',
    'keyctl',
    'bpf',
    'io_uring_setup',
    'pidfd_getfd',
    'userfaultfd',
    'chroot',
  ])('refuses %s', async (name) => {
    expect(await errnoOf(refused(name), 0, 0, 0, 0, 0)).toBe(EPERM);
  });

  it('refuses a clone into a new user namespace, and hides clone3', async () => {
    expect(await errnoOf(call('clone'), 0x10000000 | 17, 0, 0, 0, 0)).toBe(EPERM);
    expect(await errnoOf(call('clone3'), 0, 0)).toBe(38);
  });

  it('refuses to type into a terminal', async () => {
    expect(await errnoOf(call('ioctl'), 0, 0x5412, 0)).toBe(EPERM);
    expect(await errnoOf(call('ioctl'), 0, 2 ** 32 + 0x5412, 0)).toBe(EPERM);
  });

  it('refuses a pair of datagram sockets, with which any socket of the host that is in sight could be reached', async () => {
    const attack = 'use Socket; print socketpair(A, B, AF_UNIX, $ARGV[0], 0) ? "made" : $! + 0';
    const [stream, datagrams] = await Promise.all(
      ['1', '2'].map(async (type) => (await runBare(['perl', '-e', attack, type])).output),
    );
    expect({ stream, datagrams }).toEqual({ stream: 'made', datagrams: String(EPERM) });
  });

  it('refuses files in memory only where nothing that is written may run', async () => {
    const probe = [
      'perl',
      '-e',
      `$name = "x"; print syscall(${process.arch === 'arm64' ? 279 : 319}, $name, 0) == -1 ? $! + 0 : "made"`,
    ];
    expect((await runBare(probe)).output).toBe('made');
    expect((await runBare(probe, { refuseMemoryFiles: true })).output).toBe(String(EPERM));
  });
});
