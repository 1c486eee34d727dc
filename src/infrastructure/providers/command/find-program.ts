import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { ToolgateError } from '../../../domain/errors.js';

/** The program that a word names for the person who runs us, found as their shell would find it. */
export function findProgram(word: string, searchPath = process.env.PATH ?? ''): string {
  const found = lookForProgram(word, searchPath);
  if (found !== undefined) return found;
  const where = word.includes('/') ? 'there is no such program' : 'it is in no folder of PATH';
  const message = `The provider "command" cannot run "${word}": ${where}. Install it, or mend the step's \`options.command\``;
  throw new ToolgateError('USER.FILE.NOT_FOUND', message);
}

/** The same; nothing if there is no such program. */
export function lookForProgram(word: string, searchPath = process.env.PATH ?? ''): string | undefined {
  const places = word.includes('/')
    ? [resolve(word)]
    : searchPath
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, word));
  return places.find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
