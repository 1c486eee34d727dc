import type { Confinement } from '../../../ports/sandbox.js';
import { DataFile } from './data-file.js';
import { type SeccompOptions, seccompProgram } from './seccomp.js';
import { systemView } from './system-view.js';

const filters = new Map<string, DataFile | undefined>();
let files: readonly DataFile[] | undefined;

/** The filter of system calls, shared by every sandbox of its kind; undefined where there is none for this processor. */
export function filterFile({ strict }: Pick<Confinement, 'strict'> = {}): DataFile | undefined {
  const options = { refuseMemoryFiles: strict !== undefined, refuseMadeCode: strict?.makesCode === false };
  const key = JSON.stringify(options);
  if (!filters.has(key)) filters.set(key, makeFilter(options));
  return filters.get(key);
}

/** The small files of the system, in the order of the view. */
export function systemFiles(): readonly DataFile[] {
  files ??= systemView().files.map(({ content }) => new DataFile(content));
  return files;
}

function makeFilter(options: SeccompOptions): DataFile | undefined {
  const program = seccompProgram(process.arch, options);
  return program && new DataFile(program);
}
