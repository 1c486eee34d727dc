import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';

export type PresentFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** A pipe must not be waited for, a link not be followed: the planned path is the real one, or it has changed since. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What a file holds now, if it is a text of moderate length. Never throws: what cannot be read is said instead. */
export async function presentFile(path: string, mostBytes: number): Promise<PresentFile> {
  try {
    const file = await open(path, FLAGS);
    try {
      return await readText(file, path, mostBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { kind: 'absent' };
    return unreadable(`the present file cannot be read (${code})`);
  }
}

async function readText(file: FileHandle, path: string, mostBytes: number): Promise<PresentFile> {
  const entry = await file.stat();
  if (!entry.isFile()) return unreadable('what is there now is not a regular file');
  if (!(await isStill(file, path))) return unreadable('the path leads elsewhere by now');
  if (entry.size > mostBytes) return unreadable(`the present file is too long (${entry.size} bytes)`);
  // One byte more than it may have: it can grow meanwhile.
  const { buffer, bytesRead } = await file.read(Buffer.alloc(entry.size + 1), 0, entry.size + 1, 0);
  if (bytesRead > entry.size) return unreadable('the present file grows while it is read');
  return decoded(buffer.subarray(0, bytesRead));
}

/** O_NOFOLLOW speaks of the last part only: a folder on the way may have become a link. */
async function isStill(file: FileHandle, path: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  return (await readlink(`/proc/self/fd/${file.fd}`)) === path;
}

function decoded(bytes: Buffer): PresentFile {
  try {
    if (!bytes.includes(0)) {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return { kind: 'text', text };
    }
  } catch {
    // Not UTF-8.
  }
  return unreadable(`the present file is no text (${bytes.length} bytes), and would be changed`);
}

function unreadable(why: string): PresentFile {
  return { kind: 'unreadable', why };
}
