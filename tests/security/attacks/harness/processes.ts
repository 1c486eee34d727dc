import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const PAGE_KIB = 4;

/** Everything that runs with a working directory below this one: an attack's processes, wherever they hid. */
export function processesBelow(folder: string): readonly string[] {
  return pids().filter((pid) => {
    const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
    return (cwd === folder || cwd.startsWith(`${folder}/`)) && !isZombie(pid);
  });
}

/** What all of them hold in memory, in MB. */
export function memoryBelow(folder: string): number {
  const pages = processesBelow(folder).map((pid) => {
    const statm = quietly(() => readFileSync(`/proc/${pid}/statm`, 'utf8'));
    return Number(statm.split(' ')[1] ?? 0);
  });
  return (pages.reduce((sum, count) => sum + count, 0) * PAGE_KIB) / 1024;
}

function isZombie(pid: string): boolean {
  return /^State:\s+[ZX]/m.test(quietly(() => readFileSync(`/proc/${pid}/status`, 'utf8')));
}

function pids(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Processes come and go while one looks. */
function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
