/** The number of a system call on x64 and on arm64; undefined where there is none. */
export type SyscallNumbers = readonly [x64: number, arm64: number | undefined];

/**
 * What no tool needs and an escape might: mounts, namespaces, the memory and descriptors of other processes, parts
 * of the kernel with a long record of holes, and what needs a capability anyway.
 */
export const REFUSED_SYSCALLS: Readonly<Record<string, SyscallNumbers>> = {
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  setns: [308, 268],

  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],

  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],

  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  lookup_dcookie: [212, 18],
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  init_module: [175, 105],
  delete_module: [176, 106],
  finit_module: [313, 273],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
};

/** Files without a path: a way to run what no file system lets run. */
export const MEMORY_FILE_SYSCALLS: Readonly<Record<string, SyscallNumbers>> = {
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
};

/** Calls that are looked at more closely. */
export const GUARDED_SYSCALLS = {
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  ioctl: [16, 29],
  personality: [135, 92],
  clone3: [435, 435],
} as const satisfies Readonly<Record<string, SyscallNumbers>>;

/** Calls that give a file its mode. */
export const MODE_SYSCALLS = {
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  mknod: [133, undefined],
  mknodat: [259, 33],
  creat: [85, undefined],
  open: [2, undefined],
  openat: [257, 56],
  openat2: [437, 437],
} as const satisfies Readonly<Record<string, SyscallNumbers>>;

/** Calls that can turn memory into code. */
export const MADE_CODE_SYSCALLS = {
  mmap: [9, 222],
  mprotect: [10, 226],
  pkey_mprotect: [329, 288],
  shmat: [30, 196],
} as const satisfies Readonly<Record<string, SyscallNumbers>>;

/** file_setattr, of Linux 6.17. Numbers above it have no meaning yet that anybody could have judged. */
export const LAST_KNOWN_SYSCALL = 469;
