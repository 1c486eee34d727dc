import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfinementLimits } from '../../../ports/sandbox.js';
import { readProcess } from '../process-table.js';
import { type CgroupPlace, findCgroupPlace, readCgroupFacts } from './cgroup-place.js';

const NAME = /^toolgate-(\d+)-(\d+)-\d+$/;
const REMOVE_ATTEMPTS = 20;
const REMOVE_AGAIN_MS = 25;
/** The gate and bwrap itself are counted as well. */
const OWN_PROCESSES = 2;

let place: CgroupPlace | undefined | 'unknown' = 'unknown';
let count = 0;
let startTicks: number | undefined;

/** The cgroups of one call: what its processes use together is limited, however many they are. */
export class CallCgroup {
  readonly #version: 1 | 2;
  readonly #memory: string | undefined;
  readonly #pids: string | undefined;

  private constructor(
    { version, memory, pids }: CgroupPlace,
    private readonly limits: ConfinementLimits,
  ) {
    startTicks ??= readProcess(process.pid)?.startTicks ?? 0;
    const name = `toolgate-${process.pid}-${startTicks}-${++count}`;
    this.#version = version;
    this.#memory = memory === undefined ? undefined : join(memory, name);
    this.#pids = pids === undefined ? undefined : join(pids, name);
  }

  /** Whether cgroups can be made in a place, found out by making one. */
  static works(where: CgroupPlace): boolean {
    const limits = { memoryBytes: 2 ** 28, pids: 8, cpuSeconds: 1, fileBytes: 1, scratchBytes: 1 };
    const trial = new CallCgroup(where, limits);
    try {
      trial.make();
      return true;
    } catch {
      return false;
    } finally {
      trial.removeNow();
    }
  }

  /** Undefined where none can be made. It is not there before `make`. */
  static of(limits: ConfinementLimits): CallCgroup | undefined {
    if (place === 'unknown') place = preparePlace();
    return place && new CallCgroup(place, limits);
  }

  /** Makes no more of them: they can be made here, but nothing can be put into them. */
  static giveUp(): void {
    place = undefined;
  }

  get holdsMemory(): boolean {
    return this.#memory !== undefined;
  }

  get holdsPids(): boolean {
    return this.#pids !== undefined;
  }

  /** Slow when the kernel has not done it for a while, so it is done beside other work. */
  async add(pid: number): Promise<void> {
    for (const folder of this.#folders) await writeFile(join(folder, 'cgroup.procs'), String(pid));
  }

  addNow(pid: number): void {
    for (const folder of this.#folders) writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  }

  has(pid: number): boolean {
    return this.#folders.every((folder) =>
      readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').includes(String(pid)),
    );
  }

  /** Whether the kernel ended something of it for using too much memory. */
  get ranOutOfMemory(): boolean {
    if (this.#memory === undefined) return false;
    const file = this.#version === 1 ? 'memory.oom_control' : 'memory.events';
    return /^oom_kill [1-9]/m.test(readQuietly(join(this.#memory, file)));
  }

  /** Once nothing is left in it. Does not wait: it may take the kernel a moment, and nobody needs it at once. */
  remove(attempt = 0): void {
    if (attempt >= REMOVE_ATTEMPTS) return;
    const again = () => this.removeNow() || this.remove(attempt + 1);
    setTimeout(again, attempt === 0 ? 0 : REMOVE_AGAIN_MS);
  }

  /** Whether it is gone. */
  removeNow(): boolean {
    return this.#folders.map(removeFolder).every((isGone) => isGone);
  }

  get #folders(): readonly string[] {
    return [...new Set([this.#memory, this.#pids])].filter((folder) => folder !== undefined);
  }

  make(): void {
    const { memoryBytes, pids } = this.limits;
    for (const folder of this.#folders) mkdirSync(folder);
    const memory = this.#version === 1 ? 'memory.limit_in_bytes' : 'memory.max';
    const swap =
      this.#version === 1
        ? (['memory.memsw.limit_in_bytes', memoryBytes] as const)
        : (['memory.swap.max', 0] as const);
    if (this.#memory !== undefined) {
      writeFileSync(join(this.#memory, memory), String(memoryBytes));
      const swapFile = join(this.#memory, swap[0]);
      if (existsSync(swapFile)) writeFileSync(swapFile, String(swap[1]));
    }
    if (this.#pids !== undefined) writeFileSync(join(this.#pids, 'pids.max'), String(pids + OWN_PROCESSES));
  }
}

/** Looks once, and removes what processes of ours left that died without doing so. */
function preparePlace(): CgroupPlace | undefined {
  const found = findCgroupPlace(readCgroupFacts());
  for (const folder of new Set([found?.memory, found?.pids])) if (folder !== undefined) sweep(folder);
  return found && CallCgroup.works(found) ? found : undefined;
}

function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const [, pid, ticks] = NAME.exec(name) ?? [];
    if (pid === undefined || readProcess(Number(pid))?.startTicks === Number(ticks)) continue;
    removeFolder(join(folder, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
