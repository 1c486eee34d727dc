import type { Enforcement, Layer } from '../../../domain/enforcement.js';

/** What is known of one sandbox, or of all. */
export interface KernelFacts {
  /** Whether every program that was to run was checked, or a shell was left to choose. */
  readonly isExecChecked: boolean;
  /** Whether nothing but what is listed can be run. */
  readonly isStrict?: boolean;
  readonly hasFilter: boolean;
  readonly cgroup: { readonly holdsMemory: boolean; readonly holdsPids: boolean } | undefined;
  readonly limitsPids: boolean;
  /** What else is to be said. */
  readonly notes: readonly string[];
}

export const BACKEND = 'bubblewrap';

/** What the kernel holds for a process in a sandbox, and where it holds less than it could. */
export function kernelEnforcement(facts: KernelFacts): Enforcement {
  const { hasFilter, cgroup, limitsPids, notes } = facts;
  const pids: Layer = cgroup?.holdsPids || limitsPids ? 'kernel' : 'none';
  return {
    backend: BACKEND,
    fsRead: 'kernel',
    fsWrite: 'kernel',
    exec: execOf(facts).layer,
    network: 'kernel',
    memory: cgroup?.holdsMemory ? 'kernel' : 'in-process',
    pids,
    killTree: 'kernel',
    env: 'kernel',
    reasons: [
      execOf(facts).reason,
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

function execOf({ isExecChecked, isStrict = false }: KernelFacts): {
  readonly layer: Layer;
  readonly reason: string;
} {
  if (isStrict)
    return { layer: 'kernel', reason: 'exec: nothing can be run but the listed commands and /bin/sh' };
  return isExecChecked
    ? {
        layer: 'in-process',
        reason:
          'exec: the programs to be run were checked; what these run themselves is confined, but not listed',
      }
    : {
        layer: 'none',
        reason: 'exec: a shell runs whatever its script names; it is confined, but no commands are listed',
      };
}
