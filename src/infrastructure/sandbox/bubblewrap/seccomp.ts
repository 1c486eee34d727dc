import {
  ALLOW,
  assemble,
  type Block,
  ifEqual,
  ifGreater,
  KILL_PROCESS,
  loadArchitecture,
  loadNumber,
  REFUSE,
  UNKNOWN,
  unlessEqual,
} from './seccomp-bpf.js';
import { GUARDED_RULES, MADE_CODE_RULES, MODE_RULES } from './seccomp-rules.js';
import {
  GUARDED_SYSCALLS,
  LAST_KNOWN_SYSCALL,
  MADE_CODE_SYSCALLS,
  MEMORY_FILE_SYSCALLS,
  MODE_SYSCALLS,
  REFUSED_SYSCALLS,
  type SyscallNumbers,
} from './seccomp-syscalls.js';

export interface SeccompOptions {
  /** Refuses files in memory, too: for a sandbox in which nothing that can be written may be run. */
  readonly refuseMemoryFiles?: boolean;
  /** Refuses to make code of memory that can be written: a file could be loaded into it by other means than mapping. */
  readonly refuseMadeCode?: boolean;
}

interface Architecture {
  /** AUDIT_ARCH_*, what the kernel says a call was made as. */
  readonly audit: number;
  readonly column: 0 | 1;
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/**
 * The filter for `bwrap --seccomp`, undefined where the numbers of the calls are not known. It refuses what leads
 * out or deep into the kernel and allows the rest.
 */
export function seccompProgram(arch: NodeJS.Architecture, options: SeccompOptions = {}): Buffer | undefined {
  const architecture = ARCHITECTURES[arch];
  if (!architecture) return undefined;
  const { audit, column } = architecture;
  return assemble([
    loadArchitecture,
    // i386 on x64, arm on arm64: the same calls with other numbers.
    ...unlessEqual(audit, [KILL_PROCESS]),
    loadNumber,
    // Also every x32 call, whose numbers begin at 2^30.
    ...ifGreater(LAST_KNOWN_SYSCALL, [UNKNOWN]),
    ...refusals(options).flatMap((numbers) => onCall(numbers[column], [REFUSE])),
    ...guards(options).flatMap(([numbers, rule]) => onCall(numbers[column], rule)),
    ALLOW,
  ]);
}

function refusals({ refuseMemoryFiles = false }: SeccompOptions): readonly SyscallNumbers[] {
  const memoryFiles = refuseMemoryFiles ? Object.values(MEMORY_FILE_SYSCALLS) : [];
  return [...Object.values(REFUSED_SYSCALLS), ...memoryFiles];
}

function guards({ refuseMadeCode = false }: SeccompOptions): readonly (readonly [SyscallNumbers, Block])[] {
  const always = Object.keys(GUARDED_SYSCALLS) as (keyof typeof GUARDED_SYSCALLS)[];
  const modes = Object.keys(MODE_SYSCALLS) as (keyof typeof MODE_SYSCALLS)[];
  const memory = Object.keys(MADE_CODE_SYSCALLS) as (keyof typeof MADE_CODE_SYSCALLS)[];
  return [
    ...always.map((name) => [GUARDED_SYSCALLS[name], GUARDED_RULES[name]] as const),
    ...modes.map((name) => [MODE_SYSCALLS[name], MODE_RULES[name]] as const),
    ...(refuseMadeCode ? memory : []).map(
      (name) => [MADE_CODE_SYSCALLS[name], MADE_CODE_RULES[name]] as const,
    ),
  ];
}

/** Each rule ends in a verdict, so that a jump never has to go further than over one rule. */
function onCall(number: number | undefined, rule: Block): Block {
  return number === undefined ? [] : ifEqual(number, rule);
}
