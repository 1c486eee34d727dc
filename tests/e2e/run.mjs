// npm run test:e2e [-- claude codex --an-option-of-jest]: installs the AI command lines that are asked for, all of them if none is, and
// runs the suite with them, on a machine without a network where the kernel lets us make one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Outside of the project, because they are hundreds of megabytes and nobody's dependency.
const CACHE =
  process.env.TOOLGATE_E2E_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'toolgate-e2e');
/** @type {Readonly<Record<string, { npm: string, program: string }>>} */
const CLIS = JSON.parse(readFileSync(new URL('clis.json', import.meta.url), 'utf8'));

const words = process.argv.slice(2);
const asked = words.filter((word) => !word.startsWith('-'));
const jestOptions = words.filter((word) => word.startsWith('-'));
const names = asked.length > 0 ? asked : Object.keys(CLIS);
const unknown = names.filter((name) => !(name in CLIS));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')} (there are: ${Object.keys(CLIS).join(', ')})`);
  process.exit(1);
}
for (const name of names) install(name);
process.exit(runSuite());

/** @param {string} name */
function install(name) {
  const folder = join(CACHE, name);
  const mark = join(folder, 'installed');
  const { npm: wanted = '', program = '' } = CLIS[name] ?? {};
  const isThere =
    existsSync(mark) &&
    readFileSync(mark, 'utf8') === wanted &&
    existsSync(join(folder, 'node_modules', '.bin', program));
  if (isThere) return;
  console.log(`installing ${wanted} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync(
    'npm',
    ['--prefix', folder, 'install', '--no-audit', '--no-fund', '--loglevel=error', wanted],
    { stdio: 'inherit' },
  );
  if (status !== 0) {
    console.error(
      `${wanted} could not be installed: see above. These tests need npm's registry, once for each version`,
    );
    process.exit(1);
  }
  writeFileSync(mark, wanted);
}

function runSuite() {
  const jest = [
    process.execPath,
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--selectProjects=e2e',
    '--runInBand',
    ...jestOptions,
  ];
  const [program = '', ...args] = [...withoutNetwork(), ...jest];
  const env = { ...process.env, TOOLGATE_E2E: names.join(','), TOOLGATE_E2E_CACHE: CACHE };
  return spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
}

/** What the suite is started by so that nothing but this machine can be reached; nothing if that is not possible. */
function withoutNetwork() {
  const inside = 'ip link set lo up && exec "$@"';
  const ways = [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ];
  const works = ways.find(
    ([program = '', ...args]) => spawnSync(program, [...args, 'sh', '-c', inside, 'sh', 'true']).status === 0,
  );
  if (works) return [...works, 'sh', '-c', inside, 'sh'];
  console.log('no network namespace can be made here: the command lines can reach the network');
  return [];
}
