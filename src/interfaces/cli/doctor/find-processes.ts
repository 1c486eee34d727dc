import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processes whose command line holds a text, also those in a namespace of their own. */
export function findProcesses(text: string): readonly number[] {
  const lines = process.platform === 'linux' ? fromProc() : fromPs();
  return lines.filter(([pid, line]) => pid !== process.pid && line.includes(text)).map(([pid]) => pid);
}

/** Ends them for good. The text must be one that nobody else could have in a command line. */
export function killProcesses(text: string): void {
  for (const pid of findProcesses(text)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

type CommandLine = readonly [pid: number, line: string];

function fromProc(): readonly CommandLine[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid): readonly CommandLine[] => {
    try {
      return [[Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8')]];
    } catch {
      return [];
    }
  });
}

function fromPs(): readonly CommandLine[] {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').map((line): CommandLine => [Number.parseInt(line, 10), line]);
}
