import type { Enforcement } from '../domain/enforcement.js';
import type { PlannedCommand } from '../domain/plan.js';
import type { Permissions } from '../domain/restrictions.js';
import type { Truncation } from '../domain/tool-result.js';
import type { OnUnavailable } from '../domain/workflow.js';
import type { Service, ServiceContext } from './service.js';

/**
 * Runs processes with no more power than a policy gives them. `plan` changes nothing and returns a frozen
 * object; `run` runs exactly that object, and says in the outcome which layer held what.
 */
export interface Sandbox {
  probe(context: { readonly signal: AbortSignal }): Promise<SandboxCapabilities>;
  plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan>;
  run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome>;
  /** Starts exactly that object as a process that stays; a sandbox without this has no services. */
  start?(plan: ProcessPlan, context: ServiceContext): Promise<Service>;
}

/** What holds on this machine. */
export interface SandboxCapabilities {
  readonly enforcement: Enforcement;
  /** Whether the kernel holds files and network for processes; if not, the first reason says why, and `on_unavailable` decides. */
  readonly kernel: boolean;
}

export interface SandboxPolicy {
  readonly workspace: string;
  readonly permissions: Permissions;
  readonly onUnavailable: OnUnavailable;
}

/** What to run: a program with its arguments, or a constant script whose `$1`, `$2`, … are the arguments. */
export type ProcessCommand =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'script'; readonly script: string; readonly args: readonly string[] }
  /** A command line a model wrote: checked against `commands`, refused where it is not fully understood. */
  | { readonly kind: 'command-line'; readonly commandLine: string };

/** Frozen; `argv[0]` is an absolute path. */
export interface ProcessPlan {
  readonly argv: readonly string[];
  /** Every simple command of it, and why there may be more: what approval rules speak of. */
  readonly commands?: readonly PlannedCommand[];
  readonly unread?: string;
  readonly cwd: string;
  /** Names only: values never enter a plan, a hash or a journal. */
  readonly env: readonly string[];
  readonly policy: SandboxPolicy;
  /** True where the kernel holds files and network of this process; a planned action says so when it is not. */
  readonly confined: boolean;
  /** What the kernel will hold, where it holds anything. */
  readonly confinement?: Confinement;
}

/** What a confined process finds of the machine. Plain data: it is shown, hashed and recorded as it stands. */
export interface Confinement {
  /** Real paths; what is not below one of these, and is not the system's, is not there. */
  readonly readRoots: readonly string[];
  readonly writeRoots: readonly string[];
  /** Below write roots, and read-only all the same. */
  readonly readOnly: readonly string[];
  /** Below the roots, and not there; a folder ends with a slash. */
  readonly hidden: readonly string[];
  /** Programs outside of the system's directories, and the folders that they need. */
  readonly programs: readonly string[];
  /** Roots that were written through links, so that both names work. */
  readonly aliases: readonly { readonly path: string; readonly target: string }[];
  readonly network: 'none' | 'proxy';
  /** `all`: works on files of other users, without a user namespace. */
  readonly users: 'own' | 'all';
  readonly limits: ConfinementLimits;
  /** Only where the policy is strict. */
  readonly strict?: StrictConfinement;
  /** Where the kernel holds something more loosely than it was written, in words. */
  readonly notes: readonly string[];
}

/** What can be run where nothing else can, not even as an argument of the dynamic loader. */
export interface StrictConfinement {
  /** Folders of programs that hold only executables, not what the host has there. */
  readonly emptied: readonly string[];
  /** Listed programs, the shell that starts them, and the loader and libraries that they need. */
  readonly executables: readonly Executable[];
  /** True if a listed program is an interpreter, which may make code in its memory and run it. */
  readonly makesCode: boolean;
}

/** A file that can be run, under its name and its real path. */
export interface Executable {
  readonly path: string;
  readonly realPath: string;
}

export interface ConfinementLimits {
  readonly memoryBytes: number;
  readonly pids: number;
  readonly cpuSeconds: number;
  /** The largest file that can be written. */
  readonly fileBytes: number;
  /** The size of each of the places in memory: the home, /tmp, shared memory. */
  readonly scratchBytes: number;
}

export interface ProcessContext {
  readonly signal: AbortSignal;
  /** Told before the process can have done anything that matters, so that a crash leaves a trace of it. */
  readonly onStart?: (process: StartedProcess) => void;
  /** Where the whole output goes when it is longer than the limit; created only then. */
  readonly outputFile?: string;
}

/** Enough to find a process and what came of it again after a crash, and to know it is still the same one. */
export interface StartedProcess {
  readonly pid: number;
  /** The kernel's start time of that pid, so that a reused number is not mistaken for it. */
  readonly startTime: string;
  /** A folder that only it and what it starts have as HOME; absent where nothing can leave its group for long. */
  readonly home?: string;
}

export interface ProcessOutcome {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Output and errors in the order they were written, head and tail where they were longer than the limit. */
  readonly output: string;
  readonly truncated?: Truncation;
  readonly enforcement: Enforcement;
}
