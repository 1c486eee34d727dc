import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every file and folder below one, each with a text that is another as soon as it is changed in any way. */
export function contentsOf(folder: string, except: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (except.includes(path)) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    found.set(path, `${stat.mode} ${stat.uid} ${contentOf(path, stat)}`);
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  visit(folder);
  return found;
}

function contentOf(path: string, stat: ReturnType<typeof lstatSync>): string {
  if (stat?.isSymbolicLink()) return readlinkSync(path);
  if (!stat?.isFile()) return '';
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
