import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 1024 * 1024;
const OTHERS_WRITE = 0o022;

/** The text of a file that only its owner can have written; `undefined` if there is none. Throws an Error otherwise. */
export function readOwnFile(path: string): string | undefined {
  const descriptor = openOwn(path);
  if (descriptor === undefined) return undefined;
  try {
    const stat = fstatSync(descriptor);
    checkOwn(stat, 'it');
    checkOwn(statSync(dirname(path)), 'its folder');
    if (!stat.isFile()) throw new Error('it is no file');
    if (stat.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a text in the place of a file, all of it or nothing; a reader sees the old one or the new. */
export function replaceOwnFile(path: string, text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`it would be larger than ${MAX_BYTES} bytes`);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Without following a link at the end, and without waiting for a pipe to be written. */
function openOwn(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw code === 'ELOOP' ? new Error('it is a link') : error;
  }
}

function checkOwn({ uid, mode }: Stats, what: string): void {
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) throw new Error(`${what} belongs to another user`);
  if ((mode & OTHERS_WRITE) !== 0) throw new Error(`${what} can be written by other users; chmod go-w it`);
}
