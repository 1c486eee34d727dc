import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { release } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ToolgateError } from '../../../domain/errors.js';
import { coverInherited } from '../inherited-descriptors.js';
import { type BwrapRequest, bwrapArguments, DESCRIPTORS, homeArguments } from './bwrap-arguments.js';
import type { BwrapBinary } from './bwrap-binary.js';
import { CallCgroup } from './call-cgroup.js';
import { DataFile } from './data-file.js';
import { gateScript } from './gate-script.js';
import { MountCheck, type Places } from './mount-check.js';
import { parseMountInfo, readMountInfo } from './mount-info.js';
import type { Root } from './roots.js';
import { SandboxProcess } from './sandbox-process.js';
import { filterFile, systemFiles } from './shared-files.js';
import { checkMounts } from './strict/check-mounts.js';
import { behindStage } from './strict/stage-command.js';
import type { HostPolicy, WayOut } from './way-out.js';

const END_MS = 1_000;
const ENDING_MS = 100;

/** A sandbox whose gate waits, with the limits that hold it. */
export interface WaitingSandbox {
  readonly process: SandboxProcess;
  readonly cgroup: CallCgroup | undefined;
  /** Whether the number of processes is limited without a cgroup. */
  readonly limitsPids: boolean;
  /** Its way to the listed hosts, where there are any. */
  readonly wayOut?: WayOut;
}

export interface RecipeParts {
  readonly bwrap: BwrapBinary;
  readonly request: BwrapRequest;
  readonly roots: readonly Root[];
  /** What was looked at, to be compared with what is really mounted. */
  readonly places: Places;
  /** Left out where there is no way out. */
  readonly hosts?: HostPolicy;
}

/** All that is needed to start sandboxes of one kind, worked out once. */
export class Recipe {
  readonly #options: DataFile;
  readonly #check: MountCheck;

  constructor(private readonly parts: RecipeParts) {
    const options = bwrapArguments(parts.request).map((word) => `${word}\0`);
    this.#options = new DataFile(Buffer.from(options.join('')));
    this.#check = new MountCheck(parts.request, parts.places);
  }

  /** Starts one; nothing of the tool's has run when this returns, nor until it is settled and opened. */
  async start(
    argv: readonly string[],
    { isService = false }: { readonly isService?: boolean } = {},
  ): Promise<WaitingSandbox> {
    const { bwrap, request } = this.parts;
    const { limits, users } = request.confinement;
    const cgroup = CallCgroup.of(limits);
    const limitsPids = !cgroup?.holdsPids && users === 'own' && canLimitPids();
    const way = await this.#makeWayOut();
    const held = { limits, memory: !cgroup?.holdsMemory, pids: limitsPids };
    const script = gateScript({ ...held, ...way?.gate, separatesErrors: isService });
    const home = homeArguments(request, `/home-${randomBytes(6).toString('hex')}`);
    const options = ['--args', String(DESCRIPTORS.arguments), ...home, '--'];
    const opened = this.#open();
    try {
      const words = [...options, '/bin/sh', '-c', script, 'sh', ...argv];
      const descriptors = arrange(opened, way !== undefined);
      const launch = behindStage({ file: bwrap.path, argv: words }, this.parts);
      const process = await SandboxProcess.spawn({ ...launch, descriptors, keepsInput: isService });
      return { process, cgroup, limitsPids, ...(way ? { wayOut: way.wayOut } : {}) };
    } finally {
      for (const descriptor of opened.values()) closeSync(descriptor);
    }
  }

  /** Waits until the gate does, and makes sure that what is mounted is what was looked at. */
  async settle({ process, cgroup, wayOut }: WaitingSandbox): Promise<void> {
    // Before any limit: what listens is a program of ours, and limits are meant for the tool's.
    if (wayOut) await openWayOut(wayOut, process);
    // Beside bwrap's own work, for it may take the kernel as long. It fails again below if it does.
    const joined = cgroup && join(cgroup, process.pid).catch(() => undefined);
    if (!(await process.arrived)) throw await setupError(process);
    const mounts = parseMountInfo(readMountInfo(process.gatePid));
    this.#check.check(process.gatePid, mounts);
    checkMounts(mounts, this.parts.request);
    await joined;
    if (cgroup) hold(cgroup, process.gatePid);
  }

  close(): void {
    this.#options.close();
  }

  /** Loaded when it is needed: most sandboxes have no way out. */
  async #makeWayOut(): Promise<{ wayOut: WayOut; gate: { prologue: string } } | undefined> {
    const { hosts } = this.parts;
    if (!hosts) return undefined;
    const { WayOut } = await import('./way-out.js');
    return { wayOut: new WayOut(hosts), gate: { prologue: WayOut.prologue() } };
  }

  /** Opens what bwrap reads, by the number that it reads it from. */
  #open(): ReadonlyMap<number, number> {
    const filter = filterFile(this.parts.request.confinement);
    const files = systemFiles().map((file, index) => [DESCRIPTORS.firstFile + index, file] as const);
    const all = [
      [DESCRIPTORS.arguments, this.#options] as const,
      ...(filter ? [[DESCRIPTORS.filter, filter] as const] : []),
      ...files,
    ];
    return new Map(all.map(([number, file]) => [number, file.open()]));
  }
}

/** What stands at 3 and above. Numbers that are not ours may be open from whoever started us, and are covered. */
function arrange(
  opened: ReadonlyMap<number, number>,
  hasChannel: boolean,
): readonly ('pipe' | 'ipc' | 'ignore' | number)[] {
  const cover = coverInherited();
  const count = Math.max(
    cover.length,
    ...[...opened.keys()].map((number) => number - DESCRIPTORS.control + 1),
  );
  return Array.from({ length: count }, (_, index) => {
    const number = DESCRIPTORS.control + index;
    if (number === DESCRIPTORS.control) return 'pipe';
    if (number === DESCRIPTORS.channel && hasChannel) return 'ipc';
    return opened.get(number) ?? cover[index] ?? 'ignore';
  });
}

/** Ends a sandbox that nobody will use, and removes its limits. Never waits for long. */
export async function endSandbox({ process, cgroup, wayOut }: WaitingSandbox): Promise<void> {
  process.hold(true);
  process.kill();
  await Promise.race([process.ended, delay(END_MS, undefined, { ref: false })]);
  process.release();
  cgroup?.remove();
  await wayOut?.close();
}

/** Before Linux 5.14 the limit counts all processes of a user, not those of the sandbox; root has none. */
function canLimitPids(): boolean {
  const [major = 0, minor = 0] = kernelVersion();
  return globalThis.process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

function kernelVersion(): readonly number[] {
  return release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
}

async function join(cgroup: CallCgroup, pid: number): Promise<void> {
  cgroup.make();
  await cgroup.add(pid);
}

/** The gate is in it if bwrap was when it started the gate. */
function hold(cgroup: CallCgroup, gate: number): void {
  try {
    if (!cgroup.has(gate)) cgroup.addNow(gate);
  } catch (error) {
    CallCgroup.giveUp();
    throw new ToolgateError('EXECUTION.TOOL.FAILED', 'The process could not be put under its limits', {
      cause: error,
    });
  }
}

/** If the sandbox itself could not be set up, that is the reason, and bwrap has said why. */
async function openWayOut(wayOut: WayOut, process: SandboxProcess): Promise<void> {
  try {
    await wayOut.open(process);
  } catch (error) {
    await Promise.race([process.ended, delay(ENDING_MS, undefined, { ref: false })]);
    throw process.hasEnded ? await setupError(process) : error;
  }
}

async function setupError(process: SandboxProcess): Promise<ToolgateError> {
  const said = await process.complaint();
  return new ToolgateError(
    'EXECUTION.TOOL.FAILED',
    `The sandbox could not be set up: ${said || 'bwrap gave no reason'}`,
  );
}
