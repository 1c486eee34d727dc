import {
  ALLOW,
  type Block,
  ifAnyBit,
  ifEqual,
  keepBits,
  loadArgument,
  REFUSE,
  UNKNOWN,
  unlessEqual,
  unlessOneOf,
} from './seccomp-bpf.js';
import type { GUARDED_SYSCALLS, MADE_CODE_SYSCALLS, MODE_SYSCALLS } from './seccomp-syscalls.js';

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;

const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const SOCK_SEQPACKET = 5;
/** The rest of `type` are flags such as SOCK_CLOEXEC. */
const SOCK_TYPE_MASK = 0xf;

const ANY_PROTOCOL = 0;
const TCP = 6;
const UDP = 17;

const CLONE_NEW_NAMESPACE =
  0x00020000 | // NEWNS
  0x02000000 | // NEWCGROUP
  0x04000000 | // NEWUTS
  0x08000000 | // NEWIPC
  0x10000000 | // NEWUSER
  0x20000000 | // NEWPID
  0x40000000; // NEWNET

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const TIOCSETD = 0x5423;

const PROT_WRITE = 2;
const PROT_EXEC = 4;
const SHM_EXEC = 0o100000;

/** Who runs such a file gets the powers of its owner, and it stays behind when the sandbox has gone. */
const SET_USER_OR_GROUP = 0o6000;
/** With one of these, O_CREAT or the part of O_TMPFILE that is its own, the kernel reads a mode. */
const MAKES_FILE = 0o100 | 0o20000000;

const PERSONALITY_LINUX = 0;
const PERSONALITY_QUERY = 0xffffffff;

/** What each of the guarded calls may still do. */
export const GUARDED_RULES: Readonly<Record<keyof typeof GUARDED_SYSCALLS, Block>> = {
  // TCP and UDP only: no socket of the host, no packets, no netlink, and none of the protocols with few users.
  socket: [
    loadArgument(0),
    ...unlessOneOf([AF_INET, AF_INET6], [REFUSE]),
    loadArgument(1),
    keepBits(SOCK_TYPE_MASK),
    ...unlessOneOf([SOCK_STREAM, SOCK_DGRAM], [REFUSE]),
    loadArgument(2),
    ...unlessOneOf([ANY_PROTOCOL, TCP, UDP], [REFUSE]),
    ALLOW,
  ],
  // Node's pipes are socket pairs. One of datagrams could be turned on any socket of the host that is in sight.
  socketpair: [
    loadArgument(0),
    ...unlessEqual(AF_UNIX, [REFUSE]),
    loadArgument(1),
    keepBits(SOCK_TYPE_MASK),
    ...unlessOneOf([SOCK_STREAM, SOCK_SEQPACKET], [REFUSE]),
    ALLOW,
  ],
  clone: [loadArgument(0), ...ifAnyBit(CLONE_NEW_NAMESPACE, [REFUSE]), ALLOW],
  // Its flags are in memory, where no filter can look; libraries fall back on clone.
  clone3: [UNKNOWN],
  // Typing into a terminal, and changing what reads it.
  ioctl: [
    loadArgument(1),
    ...ifEqual(TIOCSTI, [REFUSE]),
    ...ifEqual(TIOCLINUX, [REFUSE]),
    ...ifEqual(TIOCSETD, [REFUSE]),
    ALLOW,
  ],
  personality: [loadArgument(0), ...unlessOneOf([PERSONALITY_LINUX, PERSONALITY_QUERY], [REFUSE]), ALLOW],
};

/** No file that lends the powers of its owner to whoever runs it. */
export const MODE_RULES: Readonly<Record<keyof typeof MODE_SYSCALLS, Block>> = {
  chmod: refuseSetUser(1),
  fchmod: refuseSetUser(1),
  fchmodat: refuseSetUser(2),
  fchmodat2: refuseSetUser(2),
  mknod: refuseSetUser(1),
  mknodat: refuseSetUser(2),
  creat: refuseSetUser(1),
  open: [loadArgument(1), ...ifAnyBit(MAKES_FILE, refuseSetUser(2)), ALLOW],
  openat: [loadArgument(2), ...ifAnyBit(MAKES_FILE, refuseSetUser(3)), ALLOW],
  // Its mode is in memory, as the flags of clone3 are; nothing does without openat.
  openat2: [UNKNOWN],
};

function refuseSetUser(modeAt: number): Block {
  return [loadArgument(modeAt), ...ifAnyBit(SET_USER_OR_GROUP, [REFUSE]), ALLOW];
}

/** Memory is either written or run, from its beginning to its end; what is mapped from a program's file is only run. */
export const MADE_CODE_RULES: Readonly<Record<keyof typeof MADE_CODE_SYSCALLS, Block>> = {
  mmap: [
    loadArgument(2),
    keepBits(PROT_WRITE | PROT_EXEC),
    ...ifEqual(PROT_WRITE | PROT_EXEC, [REFUSE]),
    ALLOW,
  ],
  mprotect: [loadArgument(2), ...ifAnyBit(PROT_EXEC, [REFUSE]), ALLOW],
  pkey_mprotect: [loadArgument(2), ...ifAnyBit(PROT_EXEC, [REFUSE]), ALLOW],
  shmat: [loadArgument(2), ...ifAnyBit(SHM_EXEC, [REFUSE]), ALLOW],
};
