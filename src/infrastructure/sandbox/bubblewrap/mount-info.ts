import { readFileSync } from 'node:fs';

/** One line of the kernel's own list of what is mounted where. */
export interface MountLine {
  readonly id: string;
  readonly parent: string;
  readonly device: string;
  /** What of the file system is shown: a path inside of it. */
  readonly root: string;
  /** Where it is shown, as the process sees it. */
  readonly point: string;
  readonly options: readonly string[];
  readonly type: string;
}

/** The list of a process, unread: equal texts mean that nothing changed. */
export function readMountInfo(pid: number | 'self'): string {
  return readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
}

export function parseMountInfo(text: string): readonly MountLine[] {
  return text.split('\n').flatMap(parseLine);
}

/** Number, parent, device, root, mount point, options, any number of tags, a dash, and the type. */
function parseLine(line: string): readonly MountLine[] {
  const words = line.split(' ');
  const [id, parent, device, root, point, options] = words;
  const type = words[words.indexOf('-', 6) + 1];
  if (id === undefined || parent === undefined || device === undefined || type === undefined) return [];
  if (root === undefined || point === undefined || options === undefined) return [];
  return [
    { id, parent, device, root: decode(root), point: decode(point), options: options.split(','), type },
  ];
}

/** Blanks and the like are written as \040. */
function decode(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
}
