import { DataFile } from './data-file.js';
import { seccompProgram } from './seccomp.js';
import { systemView } from './system-view.js';

let filter: DataFile | 'none' | undefined;
let files: readonly DataFile[] | undefined;

/** The filter of system calls, the same for every sandbox; undefined where there is none for this processor. */
export function filterFile(): DataFile | undefined {
  filter ??= makeFilter();
  return filter === 'none' ? undefined : filter;
}

/** The small files of the system, in the order of the view. */
export function systemFiles(): readonly DataFile[] {
  files ??= systemView().files.map(({ content }) => new DataFile(content));
  return files;
}

function makeFilter(): DataFile | 'none' {
  const program = seccompProgram(process.arch);
  return program ? new DataFile(program) : 'none';
}
