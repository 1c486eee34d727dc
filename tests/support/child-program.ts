import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Makes a program that Node runs by itself out of TypeScript, for tests that need a process of their own. */
export function childProgram(folder: string, source: string): string {
  const entry = join(folder, 'program.ts');
  const program = join(folder, 'program.cjs');
  writeFileSync(entry, source.replaceAll('#src/', `${resolve('src')}/`));
  const options = [
    '--bundle',
    '--platform=node',
    '--target=node20',
    '--format=cjs',
    '--log-level=error',
    `--outfile=${program}`,
  ];
  const search = { ...process.env, NODE_PATH: resolve('node_modules') };
  execFileSync(resolve('node_modules/.bin/esbuild'), [entry, ...options], { env: search });
  return program;
}
