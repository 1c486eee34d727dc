import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedFileAccess } from '../../src/infrastructure/sandbox/guarded-file-access.js';
import { listProcesses } from '../../src/infrastructure/sandbox/process-table.js';
import { KernelFixture } from './sandbox/kernel-fixture.js';

const CALLS = 500;

/** Everything that a call could leave behind, as it is now. */
function inUse() {
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    processes: listProcesses(1).filter(({ parent }) => parent === process.pid).length,
    folders: ['/dev/shm', tmpdir()].flatMap((folder) =>
      readdirSync(folder).filter((name) => /^toolgate-(?:home|data)-/.test(name)),
    ).length,
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length,
    cgroups: cgroupsOfOurs(),
  };
}

function cgroupsOfOurs(): number {
  return readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, controllers = '', path = ''] = line.split(':');
      const mounts = [controllers, ...controllers.split(',')].map((name) => `/sys/fs/cgroup/${name}${path}`);
      return mounts.map(countToolgateFolders);
    })
    .reduce((sum, count) => sum + count, 0);
}

function countToolgateFolders(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(`toolgate-${process.pid}`)).length;
  } catch {
    return 0;
  }
}

describe(`after ${CALLS} calls`, () => {
  const server = createServer((_, response) => response.end('hello'));
  let fixture: KernelFixture;
  beforeAll(async () => {
    fixture = new KernelFixture(2);
    // Sandboxes that other suites have left waiting in this process end by themselves; then the count begins.
    while (inUse().processes > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }, 60_000);
  afterAll(() => {
    server.close();
    fixture.remove();
  });

  it('descriptors, processes, files, mounts and cgroups are what they were', async () => {
    const { port } = server.address() as AddressInfo;
    const plain = fixture.workspacePolicy();
    const connected = fixture.workspacePolicy({ hosts: [`127.0.0.1:${port}`], privateHosts: ['127.0.0.1'] });
    const files = new GuardedFileAccess();
    // Once before: what is loaded and kept for good is no leak.
    await round(0);
    await fixture.sandbox.close();
    const before = inUse();
    for (let call = 1; call <= CALLS; call++) await round(call);
    await fixture.sandbox.close();
    expect(await settled(before)).toEqual(before);

    async function round(call: number): Promise<void> {
      if (call % 50 === 0) return connect();
      if (call % 25 === 0) return abort();
      if (call % 10 === 0) return write(call);
      await fixture.shellWith(plain, call % 7 === 0 ? 'setsid sleep 60 & echo left' : 'true');
    }

    async function connect(): Promise<void> {
      const { output } = await fixture.shellWith(connected, `curl -sS http://127.0.0.1:${port}/`);
      expect(output).toBe('hello');
    }

    async function abort(): Promise<void> {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 5);
      await fixture.shellWith(plain, 'sleep 60', { signal: controller.signal }).catch(() => undefined);
    }

    async function write(call: number): Promise<void> {
      const scope = plain;
      const path = await files.resolve(`${fixture.root}/notes/${call}.txt`, 'write', scope);
      await files.write(path, 'x', { append: false, scope });
      const again = await files.resolve(`${fixture.root}/notes/${call}.txt`, 'read', scope);
      await files.read(again, { maxBytes: 100, scope });
    }
  }, 120_000);
});

/** What is on its way out gets a moment; what stays is a leak. */
async function settled(expected: ReturnType<typeof inUse>): Promise<ReturnType<typeof inUse>> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const now = inUse();
    if (JSON.stringify(now) === JSON.stringify(expected)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return inUse();
}
