import type { Enforcement, Layer } from '../../../domain/enforcement.js';

/** What is known of one sandbox, or of all. */
export interface KernelFacts {
  /** Whether every program that was to run was checked, or a shell was left to choose. */
  readonly isExecChecked: boolean;
  readonly hasFilter: boolean;
  readonly cgroup: { readonly holdsMemory: boolean; readonly holdsPids: boolean } | undefined;
  readonly limitsPids: boolean;
  /** What else is to be said. */
  readonly notes: readonly string[];
}

export const BACKEND = 'bubblewrap';

/** What the kernel holds for a process in a sandbox, and where it holds less than it could. */
export function kernelEnforcement(facts: KernelFacts): Enforcement {
  const { isExecChecked, hasFilter, cgroup, limitsPids, notes } = facts;
  const pids: Layer = cgroup?.holdsPids || limitsPids ? 'kernel' : 'none';
  return {
    backend: BACKEND,
    fsRead: 'kernel',
    fsWrite: 'kernel',
    exec: isExecChecked ? 'in-process' : 'none',
    network: 'kernel',
    memory: cgroup?.holdsMemory ? 'kernel' : 'in-process',
    pids,
    killTree: 'kernel',
    env: 'kernel',
    reasons: [
      isExecChecked
        ? 'exec: the programs to be run were checked; what these run themselves is confined, but not listed'
        : 'exec: a shell runs whatever its script names; it is confined, but no commands are listed',
      ...(cgroup?.holdsMemory
        ? []
        : ['memory: held for each process, not for their sum: no cgroup can be made here']),
      ...(pids === 'kernel'
        ? []
        : ['pids: the number of processes cannot be limited: no cgroup can be made here']),
      ...(hasFilter ? [] : [`system calls are not filtered: there is no filter for ${process.arch}`]),
      ...notes,
    ],
  };
}
