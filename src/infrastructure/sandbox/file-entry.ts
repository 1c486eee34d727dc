import { close, constants, fstatSync, lstatSync, openSync, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { DeniedError } from '../../domain/errors.js';
import type { FileSlice } from '../../ports/file-access.js';
import type { Directory } from './directory.js';
import type { PathMode } from './path-policy.js';
import type { Place } from './path-walk.js';
import { shown } from './shown.js';

const readAsync = promisify(read);
const closeAsync = promisify(close);

const MAX_APPENDED_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 4096;

/** What stands at a place now; undefined if nothing does. */
export function entryAt(place: Place): Stats | undefined {
  if (place.missing.length > 0) return undefined;
  return lstatSync(place.directory.at(place.name), { throwIfNoEntry: false });
}

/** Whether an entry is something this may be done to: a regular file, or nothing yet where one is written. */
export function checkEntry(entry: Stats | undefined, path: string, mode: PathMode): void {
  if (!entry) {
    if (mode === 'write') return;
    throw Object.assign(new Error('missing'), { code: 'ENOENT' });
  }
  if (entry.isDirectory()) throw Object.assign(new Error('folder'), { code: 'EISDIR' });
  if (!entry.isFile()) throw new DeniedError(`${shown(path)} is refused: it is not a regular file`);
  if (mode === 'read') checkSingleName(entry, path);
}

/** A file with a second name may be a file from anywhere, and no path tells: hard links are not read. */
function checkSingleName(entry: Stats, path: string): void {
  if (entry.nlink <= 1) return;
  throw new DeniedError(
    `${shown(path)} is refused: it has ${entry.nlink} names (hard links), and another may be outside of what is allowed; copy the file to use it`,
  );
}

/** Opens a file for reading; what it has become since it was looked at is checked on the open file. */
export function openRegularFile(directory: Directory, name: string): number {
  // Without O_NONBLOCK, opening a FIFO would wait for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  const descriptor = openSync(directory.at(name), flags);
  try {
    const path = `${directory.path}/${name}`;
    checkEntry(fstatSync(descriptor), path, 'read');
    if (directory.holds(descriptor, name)) return descriptor;
    throw new DeniedError(`${shown(path)} is refused: it was moved while it was being opened`);
  } catch (error) {
    close(descriptor, () => undefined);
    throw error;
  }
}

/** At most `maxBytes` from the start. Closes the file. */
export async function readSlice(descriptor: number, maxBytes: number): Promise<FileSlice> {
  try {
    const { size } = fstatSync(descriptor);
    const chunks: Buffer[] = [];
    let length = 0;
    while (length < maxBytes) {
      // One byte more than is left, so that a file that grew shows; some files say nothing of their size.
      const expected = Math.max(MIN_CHUNK_BYTES, size - length + 1);
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes - length, expected));
      const { bytesRead } = await readAsync(descriptor, buffer, 0, buffer.length, length);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return { bytes: Buffer.concat(chunks, length), totalBytes: Math.max(size, length) };
  } finally {
    await closeAsync(descriptor);
  }
}

/** The old content and the new; an old file that may not be read may not be appended to either. */
export async function appendedContent(directory: Directory, name: string, addition: Buffer): Promise<Buffer> {
  if (!lstatSync(directory.at(name), { throwIfNoEntry: false })) return addition;
  const old = await readSlice(openRegularFile(directory, name), MAX_APPENDED_BYTES + 1);
  if (old.bytes.length > MAX_APPENDED_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
  return Buffer.concat([old.bytes, addition]);
}
