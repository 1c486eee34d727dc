import { DeniedError, type ErrorCode, messageOf, ToolgateError } from '../../domain/errors.js';
import type { PathMode } from './path-policy.js';
import { codeOf } from './path-walk.js';
import { shown } from './shown.js';

const MAX_PATH_BYTES = 4096;

/** Refuses path texts that the system would read as another path than the one that was checked. */
export function checkPathText(path: string): void {
  const problem =
    (path === '' && 'is empty') ||
    (path.includes('\0') && 'contains a NUL') ||
    (/\p{Surrogate}/u.test(path) && 'contains half a character (a lone surrogate)') ||
    (Buffer.byteLength(path) > MAX_PATH_BYTES && `is longer than ${MAX_PATH_BYTES} bytes`) ||
    (process.platform === 'win32' && windowsTrap(path));
  if (problem) throw new DeniedError(`The path ${problem}`);
}

/** Device prefixes, streams, short names and trailing dots are second names for a file that rules would miss. */
function windowsTrap(path: string): string | false {
  if (/^[\\/]{2}/.test(path)) return 'is a network or device path';
  if (path.replace(/^[A-Za-z]:/, '').includes(':')) return 'names a stream';
  const names = path.split(/[\\/]/).filter((name) => name !== '.' && name !== '..');
  return names.some((name) => /~\d|[. ]$/.test(name)) && 'uses a short name, or ends in a dot or blank';
}

const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'leads through something that is not a folder',
  EISDIR: 'is a folder',
  ELOOP: 'leads through too many links',
  EACCES: 'may not be opened by this user',
  EPERM: 'may not be changed by this user',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'could not be written: the disk is full',
  EDQUOT: 'could not be written: the quota is used up',
  EROFS: 'could not be written: the file system is read-only',
  EFBIG: 'could not be written: it would be too large',
  EMFILE: 'could not be opened: this process has too many files open',
};

/** What node:fs threw, as a coded error that names the file the way it was asked for. */
export function fileError(error: unknown, path: string, mode: PathMode): ToolgateError {
  if (error instanceof ToolgateError) return error;
  const errno = codeOf(error);
  const meaning =
    MEANINGS[errno] ?? `could not be ${mode === 'read' ? 'read' : 'written'}: ${messageOf(error)}`;
  return new ToolgateError(codeFor(errno, mode), `${shown(path)} ${meaning}`, { details: { errno } });
}

function codeFor(errno: string, mode: PathMode): ErrorCode {
  if (errno === 'ENOENT') return 'USER.FILE.NOT_FOUND';
  return mode === 'read' ? 'SYSTEM.IO.READ_FAILED' : 'SYSTEM.IO.WRITE_FAILED';
}
