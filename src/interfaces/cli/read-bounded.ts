import { createReadStream } from 'node:fs';
import { messageOf, ToolgateError } from '../../domain/errors.js';
import type { CliIo } from './cli-io.js';

/** More than any reply or argument; what is larger is a mistake. */
const MOST_BYTES = 10 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. */
export async function readText(file: string, io: CliIo): Promise<string> {
  if (file === '-') return readBounded(io.stdin, 'standard input');
  try {
    return await readBounded(createReadStream(file), file);
  } catch (error) {
    throw error instanceof ToolgateError ? error : unreadable(file, error);
  }
}

async function readBounded(source: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > MOST_BYTES) throw tooLarge(name);
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks), name);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ToolgateError('USER.ARGUMENT.INVALID', `${name} is not UTF-8 text`, { cause });
  }
}

function tooLarge(name: string): ToolgateError {
  return new ToolgateError('USER.ARGUMENT.INVALID', `${name} is larger than ${MOST_BYTES / 1024 / 1024} MiB`);
}

function unreadable(file: string, error: unknown): ToolgateError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ToolgateError('USER.FILE.NOT_FOUND', `${file}: there is no such file`, { cause: error });
  }
  if (code === 'EISDIR') {
    return new ToolgateError('USER.ARGUMENT.INVALID', `${file} is a directory: name a file`, {
      cause: error,
    });
  }
  return new ToolgateError('SYSTEM.IO.READ_FAILED', `${file} cannot be read: ${messageOf(error)}`, {
    cause: error,
  });
}
