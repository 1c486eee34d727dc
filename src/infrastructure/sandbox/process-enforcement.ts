import type { Enforcement } from '../../domain/enforcement.js';

const COMMON_REASONS = [
  'files and network: without the kernel layer a process opens what its user may open; only the paths in its arguments are checked, and only where commands are listed',
  'env: a process gets a clean environment, but can read that of other processes of the same user',
];

/** What is known of one process, or of all. */
export interface EnforcementFacts {
  /** Whether every program that was to run was checked, or a shell was left to choose. */
  readonly isExecChecked: boolean;
  /** Whether nothing is left of it. */
  readonly isGone: boolean;
}

/** What checks in our own process hold for the processes that a tool starts, and what nobody holds. */
export function inProcessEnforcement({ isExecChecked, isGone }: EnforcementFacts): Enforcement {
  const isLinux = process.platform === 'linux';
  return {
    backend: 'process',
    fsRead: 'none',
    fsWrite: 'none',
    exec: isExecChecked ? 'in-process' : 'none',
    network: 'none',
    memory: isLinux ? 'in-process' : 'none',
    pids: 'none',
    killTree: isGone ? 'in-process' : 'none',
    env: 'in-process',
    reasons: [
      ...COMMON_REASONS,
      ...(isExecChecked ? [] : ['exec: a shell runs whatever its script names; no commands are listed']),
      isLinux
        ? 'memory: held for each process, not for their sum'
        : 'memory: cannot be limited on this system',
      'pids: the number of processes cannot be limited without the kernel layer',
      isLinux
        ? 'killTree: a process that leaves its session and clears its environment is not found again'
        : 'killTree: a process that leaves its group is not found again',
      ...(isGone ? [] : ['killTree: something that the process started could not be ended']),
    ],
  };
}
