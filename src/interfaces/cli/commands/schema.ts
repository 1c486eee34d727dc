import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { ToolgateError } from '../../../domain/errors.js';
import type { CommandHost } from '../cli-io.js';
import { addExamples } from '../options.js';

export function defineSchema(command: Command, { io }: CommandHost): void {
  addExamples(command, 'toolgate schema > workflow.schema.json');
  command.action(async () => io.out(await readSchema()));
}

/** Looked for upwards: the code is bundled into a folder whose depth is the build's affair. */
async function readSchema(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const text = await readFile(join(folder, 'schema', 'workflow.schema.json'), 'utf8').catch(
      () => undefined,
    );
    if (text !== undefined) return text;
    const parent = dirname(folder);
    if (parent === folder) break;
    folder = parent;
  }
  throw new ToolgateError(
    'SYSTEM.IO.READ_FAILED',
    'schema/workflow.schema.json is missing from the installation',
  );
}
