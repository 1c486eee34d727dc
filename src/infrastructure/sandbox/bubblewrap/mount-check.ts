import { realpathSync } from 'node:fs';
import { DeniedError } from '../../../domain/errors.js';
import type { BwrapRequest } from './bwrap-arguments.js';
import { identityOf } from './folder-cache.js';
import { HostMounts, type Origin } from './host-mounts.js';
import { type MountLine, readMountInfo } from './mount-info.js';
import { type Mount, mountsOf } from './mount-plan.js';
import { strictMounts } from './strict/strict-mounts.js';

/** What was looked at before a start: each place that a process gets, or must not get, and which file it was. */
export type Places = ReadonlyMap<string, string>;

interface Bind {
  readonly source: string;
  readonly point: string;
}

const COVER = '/dev/null';
/** bwrap gives every sandbox these of the host's. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);
/** File systems that a sandbox has of its own. */
const OWN_TYPES = ['tmpfs', 'proc', 'devpts', 'mqueue'];

/**
 * bwrap is told names, and whoever can write in a folder can put a link where a name led, while it mounts. What the
 * kernel says of the finished sandbox cannot be tampered with: it is compared here with what was asked for, and with
 * what was looked at, before anything runs.
 */
export class MountCheck {
  /** The last for each path: what is mounted later lies on top. */
  readonly #mounts: ReadonlyMap<string, Mount>;
  readonly #binds: readonly Bind[];
  #known: { readonly text: string; readonly host: HostMounts; readonly allowed: Allowed } | undefined;

  constructor(
    { confinement, cwd, system }: BwrapRequest,
    private readonly places: Places,
  ) {
    const own = mountsOf(confinement, cwd, system.mounts);
    this.#mounts = new Map(
      [...own, ...strictMounts(confinement, system.mounts)].map((one) => [one.path, one]),
    );
    const all = [...system.mounts, ...own, ...this.#mounts.values()];
    this.#binds = [
      ...DEVICES.map((path) => ({ source: path, point: path })),
      ...all.flatMap((mount) => this.#bindsOf(mount)),
    ];
  }

  /** Refuses a sandbox that shows anything else than it should. */
  check(gate: number, lines: readonly MountLine[]): void {
    const { host, allowed } = this.#know();
    for (const { device, root, point, type } of lines) {
      const isOwn = !host.devices.has(device) && OWN_TYPES.includes(type);
      if (!isOwn && !allowed.get(point)?.has(keyOf({ device, root }))) throw exchanged(point);
    }
    const top = new Map(lines.map((line) => [line.point, line]));
    for (const mount of this.#mounts.values()) {
      if (!this.#holds(mount, { host, line: top.get(mount.path), gate })) throw exchanged(mount.path);
    }
  }

  /** Whether what stands at a place is what has to be there. That it lies where it should has been seen already. */
  #holds(
    { kind, path, ...mount }: Mount,
    found: { readonly host: HostMounts; readonly line: MountLine | undefined; readonly gate: number },
  ): boolean {
    const identity = this.places.get(path);
    if (identity === undefined) return true;
    const seen = identityOf(`/proc/${found.gate}/root${path}`);
    const isCovered = found.line !== undefined && seen !== '' && seen !== identity;
    switch (kind) {
      case 'read':
      case 'write': {
        // It may have gone meanwhile; there is nothing to hold then.
        if ('isOptional' in mount && mount.isOptional && seen === '' && !found.line) return true;
        return found.line !== undefined && identity !== '' && seen === identity;
      }
      case 'hidden-file':
        return isCovered && seen === identityOf(COVER);
      case 'hidden-folder':
        return isCovered && !found.host.devices.has(found.line?.device ?? '');
      default:
        return true;
    }
  }

  /** Our own list is read each time, and worked through only when it changed. */
  #know(): { readonly host: HostMounts; readonly allowed: Allowed } {
    const text = readMountInfo('self');
    if (this.#known?.text !== text) {
      const host = new HostMounts(text);
      this.#known = { text, host, allowed: allowedBinds(this.#binds, host) };
    }
    return this.#known;
  }

  #bindsOf(mount: Mount): readonly Bind[] {
    const { kind, path } = mount;
    if (kind === 'hidden-file') return [{ source: COVER, point: path }];
    if (kind !== 'read' && kind !== 'write' && kind !== 'program') return [];
    // What was looked at is a real path; if it leads elsewhere by now, that is what is to be found out.
    if (this.places.has(path)) return [{ source: path, point: path }];
    const source = realPathOrSame(path);
    return [...new Set([path, source])].map((point) => ({ source, point }));
  }
}

/** By place, the origins that may be mounted there. */
type Allowed = ReadonlyMap<string, ReadonlySet<string>>;

function allowedBinds(binds: readonly Bind[], host: HostMounts): Allowed {
  const allowed = new Map<string, Set<string>>();
  const add = (point: string, origin: Origin) =>
    allowed.set(point, (allowed.get(point) ?? new Set()).add(keyOf(origin)));
  for (const { source, point } of binds) {
    const origin = host.originOf(source);
    if (origin) add(point, origin);
    for (const one of host.below(source)) add(`${point}${one.point.slice(source.length)}`, one);
  }
  return allowed;
}

function keyOf({ device, root }: Origin): string {
  return `${device} ${root}`;
}

function realPathOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function exchanged(path: string): DeniedError {
  return new DeniedError(
    `The process is refused: "${path}" was exchanged for something else while it was being started`,
  );
}
