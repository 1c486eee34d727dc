import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import type { AllowedPath, FileAccess } from '../../../../src/ports/file-access.js';
import type { NetworkAccess } from '../../../../src/ports/network-access.js';
import type { Sandbox } from '../../../../src/ports/sandbox.js';
import { TOKENS } from '../../../../src/ports/tokens.js';
import type { Weaken } from './gate.js';
import type { World } from './world.js';

/** Takes away everything that stands between a call and the machine: what is left is the way most tools are written. */
export const withoutGate: Weaken = (container, world) => {
  container.rebind<Sandbox>(TOKENS.Sandbox).toConstantValue(runsAnything(world));
  container.rebind<FileAccess>(TOKENS.FileAccess).toConstantValue(opensAnything);
  container.rebind<NetworkAccess>(TOKENS.NetworkAccess).toConstantValue(reachesAnything(world));
};

function runsAnything(world: World): Sandbox {
  const env = { PATH: `${join(world.base, 'programs')}:/usr/local/bin:/usr/bin:/bin`, HOME: world.home };
  return {
    probe: async () => ({ kernel: false, enforcement: NOTHING_ENFORCED }),
    plan: async (policy, command) => {
      if (command.kind !== 'command-line') throw new Error('only for what a model wrote');
      const argv = ['/bin/bash', '-c', command.commandLine];
      return { argv, cwd: policy.workspace, env: [], policy, confined: false };
    },
    run: async ({ argv: [program = '', ...args], cwd }) => {
      const options: SpawnSyncOptions = { cwd, env, timeout: 5000, stdio: ['ignore', 'pipe', 'pipe'] };
      const { stdout, stderr, status } = spawnSync(program, args, options);
      return { exitCode: status, signal: null, output: `${stdout}${stderr}`, enforcement: NOTHING_ENFORCED };
    },
  };
}

const opensAnything: FileAccess = {
  resolve: async (path, mode, { workspace }) =>
    ({ path: resolve(workspace, path), mode }) as unknown as AllowedPath,
  read: async ({ path }) => {
    const bytes = readFileSync(path);
    return { bytes, totalBytes: bytes.length };
  },
  write: async ({ path }, content, { append }) => (append ? appendFileSync : writeFileSync)(path, content),
};

function reachesAnything({ internet }: World): NetworkAccess {
  return {
    allow: async (text) => {
      const url = new URL(text);
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const found = isIP(host) === 0 ? await internet.lookup(host) : [{ address: host }];
      return {
        url,
        addresses: found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 })),
      };
    },
  };
}
