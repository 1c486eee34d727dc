// Makes sure of bubblewrap before the demo and the tests, which say what the kernel holds. It never fails: without
// bubblewrap both still run, and say what that means.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBubblewrap, HOW_TO_INSTALL, isExecutable } from './bubblewrap.mjs';

const APT = '/usr/bin/apt-get';
const OPTIONS = ['-qq', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::Retries=1'];
const INSTALL = ['install', '-y', '--no-install-recommends', ...OPTIONS, 'bubblewrap'];
const UPDATE = ['update', ...OPTIONS];

/**
 * What the set-up needs to know of a machine and may do to it.
 * @typedef {object} Machine
 * @property {string} platform
 * @property {boolean} isRoot
 * @property {boolean} hasApt
 * @property {boolean} isForbidden whether TOOLGATE_NO_SETUP is set
 * @property {() => boolean} isInstalled
 * @property {(args: readonly string[]) => { ok: boolean, said: string }} apt
 * @property {(line: string) => void} say
 */

/** @param {Machine} machine */
export function setUp(machine) {
  if (machine.platform !== 'linux') {
    machine.say(`there is no kernel sandbox on ${machine.platform}: tools that start processes are refused`);
  } else if (!machine.isInstalled()) {
    setUpBubblewrap(machine);
  }
}

/** @param {Machine} machine */
function setUpBubblewrap(machine) {
  const { isForbidden, isRoot, hasApt, say } = machine;
  if (isForbidden || !isRoot || !hasApt) {
    say(`bubblewrap, which confines what tools run, is missing: ${HOW_TO_INSTALL}`);
    return;
  }
  say(
    'bubblewrap, which confines what tools run, is missing: installing it (TOOLGATE_NO_SETUP=1 forbids that)',
  );
  const problem = install(machine);
  if (problem === undefined) say('bubblewrap is installed');
  else say(`bubblewrap could not be installed (${problem}): ${HOW_TO_INSTALL}`);
}

/**
 * The lists of packages are fetched only if they must be: that takes longer than all the rest.
 * @param {Machine} machine
 */
function install({ apt, isInstalled }) {
  if (apt(INSTALL).ok && isInstalled()) return undefined;
  const update = apt(UPDATE);
  const again = apt(INSTALL);
  if (again.ok && isInstalled()) return undefined;
  return again.said || update.said || 'apt-get did not say why';
}

/** @returns {Machine} */
function thisMachine() {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: isExecutable(APT),
    isForbidden: Boolean(process.env.TOOLGATE_NO_SETUP),
    isInstalled: () => findBubblewrap() !== undefined,
    apt: runApt,
    say: (line) => process.stderr.write(`toolgate: ${line}\n`),
  };
}

/** @param {readonly string[]} args */
function runApt(args) {
  const { status, stdout, stderr, error } = spawnSync(APT, args, {
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      LC_ALL: 'C',
      ...proxies(),
    },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n');
  const said = error?.message ?? lines.findLast((line) => line.startsWith('E:')) ?? lines.at(-1) ?? '';
  return { ok: status === 0, said };
}

/** The way out of a closed network is told by variables, and apt-get obeys them. */
function proxies() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(https?|no|all)_proxy$/i.test(name)),
  );
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) setUp(thisMachine());
