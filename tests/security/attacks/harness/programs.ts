import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeRepository } from './repository.js';
import type { World } from './world.js';

const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
/** Part of the shell, on every machine and in no folder. */
const SHELL_WORDS = new Set('. : alias builtin cd command eval exec export source type'.split(' '));

/**
 * The name under which a program is listed. For one that this machine lacks there is a stand-in that does harm as
 * soon as it is started: that it is missing here must not be what stops an attack.
 */
export function installed(name: string, world: World): string {
  if (name === 'git') makeRepository(world.root);
  if (name.includes('/') || SHELL_WORDS.has(name)) return name;
  if ([...FOLDERS, dirname(process.execPath)].some((folder) => existsSync(join(folder, name)))) return name;
  const path = join(world.base, 'programs', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\ntouch ${world.out}/pwned\n`);
  chmodSync(path, 0o755);
  return path;
}
