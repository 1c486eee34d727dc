import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether `path` is `root` or lies below it; both absolute, without links. */
export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** The path without links; what does not exist yet is kept as it stands below its nearest existing ancestor. */
export function realPathOf(path: string): string {
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return join(realpathSync(existing), ...missing);
    } catch {
      const parent = dirname(existing);
      if (parent === existing) return path;
      missing.unshift(basename(existing));
      existing = parent;
    }
  }
}

/** The names a path is made of. */
export function segmentsOf(path: string): string[] {
  return path.split(sep).filter((segment) => segment !== '');
}
