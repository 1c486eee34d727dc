// Makes sure of what the demo and the tests need of the system: bubblewrap for both, which say what the kernel holds,
// and with --tests what only tests use. It never fails: without these both still run, and say what is missing.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findBubblewrap, HOW_TO_INSTALL, isExecutable } from './bubblewrap.mjs';

const APT = '/usr/bin/apt-get';
const OPTIONS = ['-qq', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::Retries=1'];
const INSTALL = ['install', '-y', '--no-install-recommends', ...OPTIONS];
const UPDATE = ['update', ...OPTIONS];

/**
 * What the set-up needs to know of a machine and may do to it.
 * @typedef {object} Machine
 * @property {string} platform
 * @property {boolean} isRoot
 * @property {boolean} hasApt
 * @property {boolean} isForbidden whether TOOLGATE_NO_SETUP is set
 * @property {(name: string) => boolean} isInstalled
 * @property {(args: readonly string[]) => { ok: boolean, said: string }} apt
 * @property {(line: string) => void} say
 */

/**
 * @typedef {object} Package
 * @property {string} name as Debian calls it
 * @property {string} use
 * @property {string} howToInstall
 */

/** @type {Package} */
const BUBBLEWRAP = {
  name: 'bubblewrap',
  use: 'which confines what tools run',
  howToInstall: HOW_TO_INSTALL,
};

/** What only tests need. @type {readonly Package[]} */
const FOR_TESTS = [
  forTests('tmux', 'which is the terminal of the tests'),
  forTests('chromium', 'which is the browser of the tests'),
  forTests('openssl', 'which makes certificates for the tests'),
];

/** @param {string} name @param {string} use @returns {Package} */
function forTests(name, use) {
  return { name, use, howToInstall: `install the package "${name}" as root (apt-get install ${name})` };
}

/** @param {Machine} machine @param {{ isForTests?: boolean }} [options] */
export function setUp(machine, { isForTests = false } = {}) {
  if (machine.platform !== 'linux') {
    machine.say(`there is no kernel sandbox on ${machine.platform}: tools that start processes are refused`);
    return;
  }
  const needed = isForTests ? [BUBBLEWRAP, ...FOR_TESTS] : [BUBBLEWRAP];
  for (const each of needed.filter(({ name }) => !machine.isInstalled(name))) setUpPackage(machine, each);
}

/** @param {Machine} machine @param {Package} missing */
function setUpPackage(machine, { name, use, howToInstall }) {
  const { isForbidden, isRoot, hasApt, say } = machine;
  if (isForbidden || !isRoot || !hasApt) {
    say(`${name}, ${use}, is missing: ${howToInstall}`);
    return;
  }
  say(`${name}, ${use}, is missing: installing it (TOOLGATE_NO_SETUP=1 forbids that)`);
  const problem = install(machine, name);
  if (problem === undefined) say(`${name} is installed`);
  else say(`${name} could not be installed (${problem}): ${howToInstall}`);
}

/**
 * The lists of packages are fetched only if they must be: that takes longer than all the rest.
 * @param {Machine} machine
 * @param {string} name
 */
function install({ apt, isInstalled }, name) {
  if (apt([...INSTALL, name]).ok && isInstalled(name)) return undefined;
  const update = apt(UPDATE);
  const again = apt([...INSTALL, name]);
  if (again.ok && isInstalled(name)) return undefined;
  return again.said || update.said || 'apt-get did not say why';
}

/** @returns {Machine} */
function thisMachine() {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: isExecutable(APT),
    isForbidden: Boolean(process.env.TOOLGATE_NO_SETUP),
    isInstalled: (name) =>
      name === 'bubblewrap' ? findBubblewrap() !== undefined : isExecutable(`/usr/bin/${name}`),
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

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  setUp(thisMachine(), { isForTests: process.argv.includes('--tests') });
}
