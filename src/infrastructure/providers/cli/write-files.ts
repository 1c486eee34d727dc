import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes files into a folder, each whole or not at all: another turn may be reading what was there. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    const draft = `${path}.${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  }
}
