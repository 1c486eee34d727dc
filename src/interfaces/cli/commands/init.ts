import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf, ToolgateError } from '../../../domain/errors.js';
import type { CliIo, CommandHost } from '../cli-io.js';
import { addExamples } from '../options.js';
import { STARTER_SCRIPT, STARTER_WORKFLOW } from '../starter-files.js';

export function defineInit(command: Command, { io }: CommandHost): void {
  addExamples(command, 'toolgate init', 'toolgate init flows/review.yaml');
  command.action(async (file = 'workflow.yaml') => writeStarter(file, io));
}

async function writeStarter(file: string, io: CliIo): Promise<void> {
  const script = `${file.replace(/\.ya?ml$/i, '')}.script.yaml`;
  // Both are looked for before either is written: a workflow without its script helps nobody.
  for (const path of [file, script]) await refuseExisting(path, io.cwd);
  await writeNew(file, STARTER_WORKFLOW, io.cwd);
  await writeNew(script, STARTER_SCRIPT, io.cwd);
  io.out(`${file}\n${script}\n`);
  const steps: readonly (readonly [string, string])[] = [
    [`toolgate check ${file}`, 'what its agent could do at most'],
    [`toolgate run ${file} --script ${script}`, 'you are asked before it writes'],
    ['toolgate runs', 'what has run here'],
  ];
  const width = Math.max(...steps.map(([line]) => line.length));
  io.err(`\nnext:\n${steps.map(([line, why]) => `  ${line.padEnd(width)}  # ${why}\n`).join('')}`);
}

async function refuseExisting(file: string, cwd: string): Promise<void> {
  const isThere = await access(resolve(cwd, file)).then(
    () => true,
    () => false,
  );
  if (isThere) throw exists(file);
}

async function writeNew(file: string, text: string, cwd: string): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'open') throw exists(file);
    throw new ToolgateError('SYSTEM.IO.WRITE_FAILED', `${file} cannot be written: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function exists(file: string): ToolgateError {
  return new ToolgateError('USER.ARGUMENT.INVALID', `${file} is there already: name another file`);
}
