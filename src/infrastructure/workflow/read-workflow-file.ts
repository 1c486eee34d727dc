import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { messageOf, ToolgateError } from '../../domain/errors.js';

/** A workflow is written by hand; what is larger is a mistake or an attack. */
export const MAX_WORKFLOW_BYTES = 1024 * 1024;

/** Reads a workflow file's bytes. Never waits on a pipe, never reads more than a workflow may have. */
export async function readWorkflowFile(file: string): Promise<Uint8Array> {
  try {
    assertReadable(file, await stat(file));
    // A pipe that took the file's place meanwhile must not hold us: without this flag, opening one waits.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      assertReadable(file, await handle.stat());
      return await readAtMost(file, handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof ToolgateError ? error : unreadable(file, error);
  }
}

/** Says no to files too large for a workflow. */
export function assertWorkflowSize(file: string, bytes: number): void {
  if (bytes <= MAX_WORKFLOW_BYTES) return;
  throw new ToolgateError(
    'WORKFLOW.PARSE.TOO_LARGE',
    `${file} is too large for a workflow: ${bytes} bytes, and ${MAX_WORKFLOW_BYTES} are the limit`,
  );
}

function assertReadable(file: string, stats: Stats): void {
  if (!stats.isFile()) {
    const found = stats.isDirectory() ? 'a directory' : 'not a regular file';
    throw new ToolgateError('USER.ARGUMENT.INVALID', `${file} is ${found}: name a workflow file`);
  }
  assertWorkflowSize(file, stats.size);
}

/** The size of some files (in /proc, or one that grows) is only known by reading. */
async function readAtMost(file: string, handle: FileHandle): Promise<Uint8Array> {
  const buffer = new Uint8Array(MAX_WORKFLOW_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  assertWorkflowSize(file, length);
  return buffer.subarray(0, length);
}

function unreadable(file: string, error: unknown): ToolgateError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ToolgateError('USER.FILE.NOT_FOUND', `${file}: there is no such file`, { cause: error });
  }
  if (code.startsWith('ERR_INVALID_ARG')) {
    return new ToolgateError('USER.ARGUMENT.INVALID', `${JSON.stringify(file)} is not the name of a file`);
  }
  return new ToolgateError('SYSTEM.IO.READ_FAILED', `${file} cannot be read: ${messageOf(error)}`, {
    cause: error,
  });
}
