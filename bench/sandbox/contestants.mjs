// Ways to run /bin/true, from nothing around it to everything. Each is a function that runs it once.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the job costs with no protection at all. */
export function bareSpawn() {
  return { run: () => ended(spawn('/bin/true', [], { stdio: ['ignore', 'pipe', 'pipe'] })) };
}

/** `warm`: a sandbox was made ready before the call. `cold`: an argument with a line break always needs a new one. */
export async function toolgate(workspace, kind) {
  const { createContainer, NO_PERMISSIONS, TOKENS } = await import('../../dist/index.js');
  const sandbox = (await createContainer()).get(TOKENS.Sandbox);
  const root = join(workspace, kind);
  mkdirSync(root);
  const permissions = { ...NO_PERMISSIONS, commands: 'any', read: [`${root}/**`], write: [`${root}/**`] };
  const policy = { workspace: root, permissions, onUnavailable: 'deny' };
  const argv = kind === 'warm' ? ['/bin/true'] : ['/bin/true', 'two\nlines'];
  const signal = new AbortController().signal;
  return {
    async run() {
      const plan = await sandbox.plan(policy, { kind: 'argv', argv });
      const { exitCode, enforcement } = await sandbox.run(plan, { signal });
      if (exitCode !== 0 || enforcement.fsWrite !== 'kernel') throw new Error(JSON.stringify(enforcement));
    },
    close: () => sandbox.close?.(),
  };
}

export async function sandboxRuntime(workspace) {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [], allowWrite: [workspace], denyWrite: [] },
  });
  return {
    async run() {
      const wrapped = await SandboxManager.wrapWithSandbox('/bin/true');
      await ended(spawn(wrapped, { shell: true, cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] }));
    },
    close: () => SandboxManager.reset(),
  };
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}
