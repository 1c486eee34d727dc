import { randomBytes } from 'node:crypto';
import {
  close,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  write,
} from 'node:fs';
import { promisify } from 'node:util';
import type { Directory } from './directory.js';

const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);
const closeAsync = promisify(close);

/**
 * Puts content in place of an entry, all or nothing: a new file beside it, then a rename, which follows no link
 * and leaves other names of the old file alone. New files are not executable; old ones keep their mode and owner.
 * `checkAgain` may throw at the last moment: while the content is written, others may have written beside it.
 */
export async function replaceFile(
  directory: Directory,
  name: string,
  { content, checkAgain }: { readonly content: Buffer; readonly checkAgain: () => void },
): Promise<void> {
  const temporary = `.toolgate-${randomBytes(12).toString('hex')}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(directory.at(temporary), flags, 0o644);
  try {
    await fill(descriptor, content, () => keepAttributes(descriptor, directory.at(name)));
    checkAgain();
    renameSync(directory.at(temporary), directory.at(name));
  } catch (error) {
    removeQuietly(directory.at(temporary));
    throw error;
  }
}

/** The first error is the one to tell. */
function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {}
}

async function fill(descriptor: number, content: Buffer, finish: () => void): Promise<void> {
  try {
    let written = 0;
    while (written < content.length) {
      const { bytesWritten } = await writeAsync(descriptor, content, written, content.length - written);
      written += bytesWritten;
    }
    finish();
    await fsyncAsync(descriptor);
  } finally {
    await closeAsync(descriptor);
  }
}

function keepAttributes(descriptor: number, old: string): void {
  const entry = lstatSync(old, { throwIfNoEntry: false });
  if (!entry?.isFile()) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot) fchownSync(descriptor, entry.uid, entry.gid);
  fchmodSync(descriptor, entry.mode & 0o777);
}
