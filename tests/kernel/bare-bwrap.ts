import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seccompProgram } from '../../src/infrastructure/sandbox/bubblewrap/seccomp.js';

/** The least sandbox that a filter and a network namespace can be tried in; the whole machine is there to read. */
const OPTIONS = [
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
  ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...['--chdir', '/tmp'],
];

export interface BareBwrapOptions {
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What stands at descriptors 0, 1, 2; the filter is at 9. */
  readonly stdio?: SpawnOptions['stdio'];
  readonly refuseMemoryFiles?: boolean;
}

/** Starts a program in bubblewrap with our filter. */
export function startBare(argv: readonly string[], given: BareBwrapOptions = {}): ChildProcess {
  const { options = [], env = {}, refuseMemoryFiles = false } = given;
  const stdio = Array.isArray(given.stdio) ? given.stdio : (['ignore', 'pipe', 'pipe'] as const);
  const filter = openFilter(refuseMemoryFiles);
  try {
    const unused = Array.from({ length: 9 - stdio.length }, () => 'ignore' as const);
    return spawn('bwrap', [...OPTIONS, ...options, '--seccomp', '9', '--', ...argv], {
      env: { PATH: '/usr/bin:/bin', HOME: '/tmp', ...env },
      stdio: [...stdio, ...unused, filter],
    });
  } finally {
    closeSync(filter);
  }
}

/** Runs a program in bubblewrap with our filter, and gives back what it wrote. */
export async function runBare(
  argv: readonly string[],
  options: BareBwrapOptions = {},
): Promise<{ readonly code: number | null; readonly output: string }> {
  return finished(startBare(argv, options));
}

export function finished(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

function openFilter(refuseMemoryFiles: boolean): number {
  const program = seccompProgram(process.arch, { refuseMemoryFiles });
  if (!program) throw new Error(`no filter for ${process.arch}`);
  const folder = mkdtempSync(join(tmpdir(), 'filter-'));
  try {
    writeFileSync(join(folder, 'filter'), program);
    return openSync(join(folder, 'filter'), 'r');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
