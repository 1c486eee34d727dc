import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeniedError, messageOf } from '../../../../domain/errors.js';
import { shown } from '../../shown.js';
import { isTrusted } from '../bwrap-binary.js';
import { identityOf } from '../folder-cache.js';
import { readProgramFile } from './program-file.js';

const LIST_TIMEOUT_MS = 5_000;
const MAX_LIST_BYTES = 1024 * 1024;

const known = new Map<string, Promise<readonly string[]>>();
const run = promisify(execFile);

/**
 * Its loader and every library that the loader will map for it, as real paths. The loader itself is asked: nothing
 * else knows all of its rules. Refuses what the kernel hands to another program.
 */
export function closureOf(program: string): Promise<readonly string[]> {
  const key = `${program}\0${identityOf(program)}`;
  const closure = known.get(key) ?? findClosure(program);
  known.set(key, closure);
  // What failed once may work the next time.
  closure.catch(() => known.delete(key));
  return closure;
}

async function findClosure(program: string): Promise<readonly string[]> {
  const file = readProgramFile(program);
  switch (file.kind) {
    case 'static':
      return [];
    case 'dynamic': {
      const loader = trustedLoader(program, file.loader);
      return [...new Set([loader, ...(await listLibraries(loader, program))])];
    }
    case 'script':
      throw new DeniedError(
        `The process is refused: with strict, ${shown(program)} cannot be listed, for it is a script of ${shown(file.interpreter)}; list its interpreter instead`,
      );
    case 'unknown':
      throw new DeniedError(
        `The process is refused: with strict, ${shown(program)} cannot be listed, for it is no program of this machine's own kind`,
      );
    default:
      return file satisfies never;
  }
}

/** It is run here and now, outside of any sandbox. */
function trustedLoader(program: string, path: string): string {
  try {
    const loader = realpathSync(path);
    if (isTrusted(loader)) return loader;
  } catch {
    // Said below.
  }
  throw new DeniedError(
    `The process is refused: with strict, ${shown(program)} cannot be listed, for its loader ${shown(path)} is not there, or does not belong to root alone`,
  );
}

async function listLibraries(loader: string, program: string): Promise<readonly string[]> {
  const options = { env: {}, cwd: '/', timeout: LIST_TIMEOUT_MS, maxBuffer: MAX_LIST_BYTES };
  try {
    const { stdout } = await run(loader, ['--list', program], options);
    return parseList(stdout).map((path) => realpathSync(path));
  } catch (error) {
    throw new DeniedError(
      `The process is refused: the libraries of ${shown(program)}, which strict needs to know, cannot be told: ${messageOf(error)}`,
    );
  }
}

/** Lines such as `libc.so.6 => /lib/libc.so.6 (0x7f…)`; what has no path is the kernel's own, or missing. */
export function parseList(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:\S+ => )?(\/.*) \(0x[0-9a-f]+\)$/gm)].flatMap(([, path]) => path ?? []);
}
