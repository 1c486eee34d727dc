import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../domain/errors.js';

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Writes a whole output for its owner's eyes only. Says why when it cannot, since a result must not hang on it. */
export async function keepOutput(file: string, text: string): Promise<string | undefined> {
  try {
    await makeFolderOf(file);
    const handle = await open(file, FLAGS, 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A sandbox writes long outputs itself, into a folder that it expects to be there. */
export async function makeFolderOf(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
}
