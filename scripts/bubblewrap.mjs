// Finds bubblewrap, for the scripts and the Jest configuration, which run before anything is built.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

/** Where the sandbox looks for it as well; never along PATH. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];

/** One line for whoever has to install it. */
export const HOW_TO_INSTALL =
  'install the package "bubblewrap" as root (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap)';

/** @returns {string | undefined} the path of bwrap */
export function findBubblewrap() {
  return PLACES.find(isExecutable);
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string | undefined} why nothing can be run in bubblewrap here, found out by running something */
export function bubblewrapProblem() {
  if (process.platform !== 'linux') return `bubblewrap is for Linux, and this is ${process.platform}`;
  const bwrap = findBubblewrap();
  if (bwrap === undefined) return `bubblewrap is missing: ${HOW_TO_INSTALL}`;
  const confined = ['--unshare-all', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'];
  const root = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
  const { status, stderr, error } = spawnSync(bwrap, [...confined, ...root, '--', '/bin/true'], {
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 10_000,
  });
  if (status === 0) return undefined;
  const words = error?.message ?? stderr.trim().split('\n').at(-1);
  return `bubblewrap does not work here (${words}); toolgate doctor says more`;
}
