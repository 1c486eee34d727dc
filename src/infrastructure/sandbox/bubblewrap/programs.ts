import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { SandboxPolicy } from '../../../ports/sandbox.js';
import type { BinaryResolver } from '../binary-resolver.js';
import { isInside, realPathOf, segmentsOf } from '../path-containment.js';

/** What the sandbox shows of the system anyway. */
const SYSTEM_PLACES = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
];
/** Nearer to the home than this lie folders that hold other things too, such as ~/.local and ~/.cargo. */
const MIN_DEPTH_BELOW_HOME = 3;
const MIN_DEPTH = 2;

/**
 * Listed programs and, unless they are all that may run, the running Node, as far as they do not lie in the system's directories: the least that
 * runs. Never a whole home.
 */
export function programsOf(
  { permissions, workspace }: SandboxPolicy,
  resolver: BinaryResolver,
  home = homeFolder(),
): readonly string[] {
  const listed = typeof permissions.commands === 'string' ? [] : permissions.commands;
  const binaries = listed.flatMap((name) => resolver.resolve(name, workspace) ?? []);
  const paths = binaries.flatMap(({ path, realPath }) => [path, ...placesOf(realPath, home)]);
  const own = permissions.strict ? [] : placesOf(realpathSync(process.execPath), home);
  const all = [...own, ...paths];
  return [...new Set(all.filter((path) => !SYSTEM_PLACES.some((place) => isInside(path, place))))].sort();
}

/** The program itself; or its whole installation, where that is a folder of its own, as under a version manager. */
function placesOf(realPath: string, home: string): readonly string[] {
  const prefix = dirname(dirname(realPath));
  const isWhole = basename(dirname(realPath)) === 'bin' && isInstallation(prefix, home);
  return [isWhole ? prefix : realPath];
}

function isInstallation(prefix: string, home: string): boolean {
  if (isInside(home, prefix) || segmentsOf(prefix).length < MIN_DEPTH) return false;
  const isNearHome =
    isInside(prefix, home) && segmentsOf(prefix).length - segmentsOf(home).length < MIN_DEPTH_BELOW_HOME;
  return !isNearHome && ['lib', 'share', 'libexec', 'include'].some((name) => existsSync(join(prefix, name)));
}

/** Some users have none; then nothing lies in it. */
function homeFolder(): string {
  try {
    return realPathOf(homedir());
  } catch {
    return '/nonexistent';
  }
}
