import { type MountLine, parseMountInfo } from './mount-info.js';

/** Where a file or folder really lies: on which file system, and where in it. Links lead nowhere here. */
export interface Origin {
  readonly device: string;
  readonly root: string;
}

/** What is mounted where on this host, to tell what a bind of a path has to look like. */
export class HostMounts {
  /** Of every file system that a path of the host can lead to. */
  readonly devices: ReadonlySet<string>;
  readonly #lines: readonly MountLine[];
  readonly #children = new Map<string, MountLine[]>();
  readonly #top: MountLine | undefined;

  constructor(text: string) {
    this.#lines = parseMountInfo(text);
    this.devices = new Set(this.#lines.map(({ device }) => device));
    const ids = new Set(this.#lines.map(({ id }) => id));
    // The first of all file systems is its own parent; any other lies on one that is listed, or out of sight.
    const isTop = ({ id, parent }: MountLine) => id === parent || !ids.has(parent);
    for (const line of this.#lines) {
      if (isTop(line)) continue;
      this.#children.set(line.parent, [...(this.#children.get(line.parent) ?? []), line]);
    }
    this.#top = this.#lines.find((line) => line.point === '/' && isTop(line));
  }

  /** Undefined where the list does not say it; what cannot be told cannot be right. */
  originOf(path: string): Origin | undefined {
    // From the top, as the kernel walks: a mount may lie under another that came later.
    let mount = this.#top;
    for (let next = mount; next; next = this.#next(next, path)) mount = next;
    return mount && { device: mount.device, root: join(mount.root, restOf(path, mount.point)) };
  }

  /** What is mounted below a path, and comes along where that is bound. */
  below(path: string): readonly (Origin & { readonly point: string })[] {
    return this.#lines.filter(({ point }) => point !== path && isBelow(point, path));
  }

  #next({ id }: MountLine, path: string): MountLine | undefined {
    const onTheWay = (this.#children.get(id) ?? []).filter(({ point }) => isBelow(path, point));
    return onTheWay.reduce<MountLine | undefined>(
      (first, line) => (first && first.point.length <= line.point.length ? first : line),
      undefined,
    );
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

function restOf(path: string, point: string): string {
  return point === '/' ? path : path.slice(point.length);
}

function join(root: string, rest: string): string {
  if (rest === '' || rest === '/') return root;
  return root === '/' ? rest : `${root}${rest}`;
}
