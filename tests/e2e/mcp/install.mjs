// Fetches the programs that these tests run our own against, pinned, into a cache outside of the project: they are
// nobody's dependency, and weigh more than all that is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MAJOR = Number(process.versions.node.split('.')[0]);

/** The newest of each that runs on this Node: later ones of the first need `fs.globSync`. */
const PROGRAMS = {
  '@modelcontextprotocol/conformance': MAJOR >= 22 ? '0.1.16' : '0.1.13',
  '@modelcontextprotocol/inspector': '0.15.0',
};

/** The folder with both, installed now if they are not there yet. */
export function installPeers() {
  const versions = Object.values(PROGRAMS).join('-');
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'toolgate-e2e', `mcp-${versions}`);
  if (existsSync(folder)) return folder;
  // Under another name until it is whole: an interrupted installation must not be taken for one.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: PROGRAMS }));
    const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
    execFileSync('npm', ['install', ...quiet], { cwd: draft, stdio: ['ignore', 'inherit', 'inherit'] });
    renameSync(draft, folder);
  } catch (error) {
    // Somebody else may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
