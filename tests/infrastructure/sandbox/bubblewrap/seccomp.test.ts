import { describe, expect, it } from '@jest/globals';
import { seccompProgram } from '../../../../src/infrastructure/sandbox/bubblewrap/seccomp.js';
import { ifEqual, REFUSE } from '../../../../src/infrastructure/sandbox/bubblewrap/seccomp-bpf.js';
import {
  MEMORY_FILE_SYSCALLS,
  REFUSED_SYSCALLS,
} from '../../../../src/infrastructure/sandbox/bubblewrap/seccomp-syscalls.js';

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;
const I386 = 0x40000003;
const ARM = 0x40000028;

interface Call {
  readonly nr: number;
  readonly arch?: number;
  readonly args?: readonly (number | bigint)[];
}

const VERDICTS = new Map([
  [0x7fff0000, 'allow'],
  [0x80000000, 'kill'],
  [0x00050001, 'EPERM'],
  [0x00050026, 'ENOSYS'],
]);

/** struct seccomp_data: number, architecture, instruction pointer, six arguments. */
function seccompData({ nr, arch = X64, args = [] }: Call): Buffer {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(nr >>> 0, 0);
  data.writeUInt32LE(arch, 4);
  for (const [index, value] of args.entries())
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index);
  return data;
}

interface Decoded {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

function decode(program: Buffer): readonly Decoded[] {
  return Array.from({ length: program.length / 8 }, (_, index) => ({
    code: program.readUInt16LE(index * 8),
    jt: program.readUInt8(index * 8 + 2),
    jf: program.readUInt8(index * 8 + 3),
    k: program.readUInt32LE(index * 8 + 4),
  }));
}

const COMPARE: Readonly<Record<number, (value: number, k: number) => boolean>> = {
  21: (value, k) => value === k,
  37: (value, k) => value > k,
  69: (value, k) => (value & k) !== 0,
};

/** What the kernel would answer: its machine, as far as the program uses it. */
function run(program: Buffer, call: Call): string | undefined {
  const instructions = decode(program);
  const data = seccompData(call);
  let accumulator = 0;
  for (let at = 0; at < instructions.length; at += 1) {
    const { code, jt, jf, k } = instructions[at] as Decoded;
    if (code === 0x20) accumulator = data.readUInt32LE(k);
    else if (code === 0x54) accumulator = (accumulator & k) >>> 0;
    else if (code === 0x06) return VERDICTS.get(k);
    else at += COMPARE[code]?.(accumulator, k) ? jt : jf;
  }
  return undefined;
}

function programOf(arch: NodeJS.Architecture, options = {}): Buffer {
  return seccompProgram(arch, options) ?? Buffer.alloc(0);
}

const onX64 = (nr: number, ...args: readonly (number | bigint)[]) => run(programOf('x64'), { nr, args });

describe('seccompProgram', () => {
  it('knows x64 and arm64, and says so of others', () => {
    expect(seccompProgram('ia32')).toBeUndefined();
    expect(seccompProgram('riscv64')).toBeUndefined();
    expect(programOf('x64').length).toBeGreaterThan(0);
    expect(programOf('arm64').length).toBeGreaterThan(0);
  });

  it.each(['x64', 'arm64'] as const)('is a program that the kernel takes on %s', (arch) => {
    const instructions = decode(programOf(arch, { refuseMemoryFiles: true, refuseMadeCode: true }));
    expect(instructions.length).toBeLessThanOrEqual(4096);
    expect(instructions.at(-1)).toEqual({ code: 0x06, jt: 0, jf: 0, k: 0x7fff0000 });
    for (const [at, { code, jt, jf, k }] of instructions.entries()) {
      expect([0x20, 0x54, 0x06, 0x15, 0x25, 0x45]).toContain(code);
      if (code !== 0x06) expect(at + 1 + Math.max(jt, jf)).toBeLessThan(instructions.length);
      if (code === 0x20) expect(k % 4 === 0 && k < 64).toBe(true);
    }
  });

  it('never makes a jump that does not fit into its byte', () => {
    const long = Array.from({ length: 256 }, () => REFUSE);
    expect(() => ifEqual(1, long)).toThrow(RangeError);
  });

  it('ends a process that makes the calls of another architecture', () => {
    expect(run(programOf('x64'), { nr: 20, arch: I386 })).toBe('kill');
    expect(run(programOf('arm64'), { nr: 20, arch: ARM })).toBe('kill');
    expect(run(programOf('arm64'), { nr: 172, arch: ARM64 })).toBe('allow');
  });

  it('knows nothing of x32 calls and of calls that are newer than it', () => {
    const x32 = 0x40000000;
    expect(onX64(x32 + 41, 1)).toBe('ENOSYS');
    expect(onX64(470)).toBe('ENOSYS');
    expect(onX64(-1)).toBe('ENOSYS');
    expect(onX64(469)).toBe('allow');
  });

  it.each(Object.entries(REFUSED_SYSCALLS))('refuses %s', (_, [x64, arm64]) => {
    expect(onX64(x64)).toBe('EPERM');
    if (arm64 !== undefined) expect(run(programOf('arm64'), { nr: arm64, arch: ARM64 })).toBe('EPERM');
  });

  it('refuses files in memory only where it is told to', () => {
    const strict = programOf('x64', { refuseMemoryFiles: true });
    for (const [nr] of Object.values(MEMORY_FILE_SYSCALLS)) {
      expect([onX64(nr), run(strict, { nr })]).toEqual(['allow', 'EPERM']);
    }
  });

  it('refuses to make code of memory only where it is told to', () => {
    const strict = programOf('x64', { refuseMadeCode: true });
    const [READ, WRITE, EXEC, SHM_EXEC] = [1, 2, 4, 0o100000];
    const verdict = (nr: number, protection: number) => run(strict, { nr, args: [0, 0, protection] });
    for (const [nr, protection] of [
      ...[[9, READ | WRITE | EXEC] as const, [9, WRITE | EXEC] as const, [10, READ | EXEC] as const],
      ...[[329, EXEC] as const, [30, SHM_EXEC] as const],
    ]) {
      expect([onX64(nr), verdict(nr, protection)]).toEqual(['allow', 'EPERM']);
    }
    expect([verdict(9, READ | EXEC), verdict(9, READ | WRITE), verdict(10, READ)]).toEqual(
      Array(3).fill('allow'),
    );
  });

  it('allows what programs are made of', () => {
    // read, write, mmap, execve, fork, vfork, connect, prctl, seccomp, getrandom, pidfd_open, statx, rseq, landlock
    for (const nr of [0, 1, 9, 59, 57, 58, 42, 157, 317, 318, 434, 332, 334, 444])
      expect(onX64(nr)).toBe('allow');
  });
});

const SOCKET = 41;
const SOCKETPAIR = 53;
const CLOEXEC_NONBLOCK = 0o2004000;
const HIGH = 1n << 32n;

describe('seccompProgram, call by call', () => {
  it.each([
    ['TCP', [2, 1, 0], 'allow'],
    ['TCP over IPv6, by name', [10, 1, 6], 'allow'],
    ['UDP with flags', [2, 2 | CLOEXEC_NONBLOCK, 17], 'allow'],
    ['a unix socket', [1, 1, 0], 'EPERM'],
    ['a unix socket with a high half', [HIGH | 1n, 1, 0], 'EPERM'],
    ['netlink', [16, 3, 0], 'EPERM'],
    ['packets', [17, 3, 0], 'EPERM'],
    ['kernel crypto', [38, 5, 0], 'EPERM'],
    ['the hypervisor', [40, 1, 0], 'EPERM'],
    ['a raw socket', [2, 3, 1], 'EPERM'],
    ['a raw socket with flags', [10, 3 | CLOEXEC_NONBLOCK, 58], 'EPERM'],
    ['a raw socket with a high half', [2, HIGH | 3n, 255], 'EPERM'],
    ['the old packet type', [2, 10, 0], 'EPERM'],
    ['SCTP', [2, 1, 132], 'EPERM'],
    ['ping', [2, 2, 1], 'EPERM'],
  ] as const)('socket: %s', (_, args, verdict) => {
    expect(onX64(SOCKET, ...args)).toBe(verdict);
    expect(run(programOf('arm64'), { nr: 198, arch: ARM64, args })).toBe(verdict);
  });

  it.each([
    ['a stream', [1, 1 | CLOEXEC_NONBLOCK], 'allow'],
    ['packets in order', [1, 5], 'allow'],
    ['datagrams, which may be sent elsewhere', [1, 2], 'EPERM'],
    ['raw, which the kernel takes for datagrams', [1, 3], 'EPERM'],
    ['another family', [30, 1], 'EPERM'],
  ] as const)('socketpair: %s', (_, args, verdict) => {
    expect(onX64(SOCKETPAIR, ...args)).toBe(verdict);
  });

  it('refuses a clone into a new namespace, and hides clone3, whose flags cannot be seen', () => {
    const thread = 0x003d0f00;
    expect(onX64(56, thread)).toBe('allow');
    expect(onX64(56, 17)).toBe('allow');
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(onX64(56, flag | 17)).toBe('EPERM');
    }
    expect(onX64(435)).toBe('ENOSYS');
  });

  it('refuses typing into a terminal, also with a high half that the kernel ignores', () => {
    for (const request of [0x5412, 0x541c, 0x5423]) {
      expect(onX64(16, 0, request)).toBe('EPERM');
      expect(onX64(16, 0, HIGH | BigInt(request))).toBe('EPERM');
    }
    expect(onX64(16, 0, 0x5401)).toBe('allow');
  });

  it.each([
    ['chmod', 90, 1],
    ['fchmod', 91, 1],
    ['fchmodat', 268, 2],
    ['fchmodat2', 452, 2],
    ['mknod', 133, 1],
    ['mknodat', 259, 2],
    ['creat', 85, 1],
  ])('refuses %s of a file that lends the powers of its owner', (_, nr, at) => {
    const verdict = (mode: number | bigint) => onX64(nr, ...Array(at).fill(0), mode);
    expect([0o4755, 0o2755, 0o6000, HIGH | 0o4000n].map(verdict)).toEqual(Array(4).fill('EPERM'));
    expect([0o755, 0o1777, 0o100644].map(verdict)).toEqual(Array(3).fill('allow'));
  });

  it('refuses to open such a file into being, and looks at the mode only where the kernel does', () => {
    const [CREATE, TEMPORARY] = [0o101, 0o20200002];
    for (const flags of [CREATE, TEMPORARY]) {
      expect([onX64(2, 0, flags, 0o4755), onX64(257, 0, 0, flags, 0o2755)]).toEqual(['EPERM', 'EPERM']);
      expect(run(programOf('arm64'), { nr: 56, arch: ARM64, args: [0, 0, flags, 0o4755] })).toBe('EPERM');
      expect([onX64(2, 0, flags, 0o644), onX64(257, 0, 0, flags, 0o600)]).toEqual(['allow', 'allow']);
    }
    expect([onX64(2, 0, 0, 0o4755), onX64(257, 0, 0, 0o2000000, 0o6777)]).toEqual(['allow', 'allow']);
    expect(onX64(437)).toBe('ENOSYS');
  });

  it('refuses to change the personality, not to ask for it', () => {
    expect([onX64(135, 0), onX64(135, 0xffffffff), onX64(135, -1)]).toEqual(['allow', 'allow', 'allow']);
    expect([onX64(135, 0x0040000), onX64(135, 8)]).toEqual(['EPERM', 'EPERM']);
  });
});
