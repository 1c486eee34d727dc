import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Sandbox, StartedProcess } from '../../src/ports/sandbox.js';
import type { Service, ServiceContext } from '../../src/ports/service.js';
import { codeOf, Fixture, NEVER } from '../infrastructure/sandbox/fixture.js';

/** What every Sandbox promises of a process that stays. */
export function describeServiceContract(name: string, make: () => Sandbox): void {
  describe(`${name} as a host of services`, () => {
    let fixture: Fixture;
    let started: Service[];
    beforeEach(() => {
      fixture = new Fixture();
      started = [];
    });
    afterEach(async () => {
      await Promise.all(started.map((service) => service.stop()));
      fixture.remove();
    });

    const start = async (script: string, context: Partial<ServiceContext> = {}): Promise<Service> => {
      const sandbox = make();
      const paths = { read: [`${fixture.root}/**`], write: [`${fixture.root}/**`] };
      const policy = fixture.policy({ ...paths, commands: 'any' });
      const plan = await sandbox.plan(policy, { kind: 'script', script, args: [] });
      const full = { signal: NEVER, onErrorOutput: () => undefined, ...context };
      const service = await sandbox.start?.(plan, full);
      if (!service) throw new Error('it starts no services');
      started.push(service);
      return service;
    };

    it('is written to and read from, for as long as it stays', async () => {
      const service = await start('while read -r line; do echo "<$line>"; done');
      const lines = linesOf(service);
      service.write('one\n');
      expect((await lines.next()).value).toBe('<one>');
      service.write('two\nthree\n');
      expect([(await lines.next()).value, (await lines.next()).value]).toEqual(['<two>', '<three>']);
      expect(service.enforcement.backend.length).toBeGreaterThan(0);
    });

    it('hands over what it says on its other stream', async () => {
      let said = '';
      const onErrorOutput = (chunk: Uint8Array) => {
        said += Buffer.from(chunk).toString();
      };
      const service = await start('echo ready; echo careful >&2; read -r line', { onErrorOutput });
      await linesOf(service).next();
      while (!said.includes('careful\n')) await new Promise((resolve) => setImmediate(resolve));
    });

    it('tells how it ended, and loses what is written afterwards', async () => {
      const service = await start('read -r line; exit 7');
      service.write('go\n');
      expect(await service.ended).toEqual({ exitCode: 7, signal: null });
      service.write('too late\n');
      await service.stop();
    });

    it('is ended with all that it started, also if it does not want to', async () => {
      const service = await start(
        'trap "" TERM; (trap "" TERM; while :; do touch alive; sleep 0.02; done) & echo up; wait',
      );
      await linesOf(service).next();
      const alive = join(fixture.root, 'alive');
      while (!existsSync(alive)) await new Promise((resolve) => setImmediate(resolve));
      await service.stop();
      rmSync(alive, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(existsSync(alive)).toBe(false);
    });

    it('is ended if it does not read what it is sent', async () => {
      const service = await start('echo up; exec sleep 600');
      await linesOf(service).next();
      const much = 'x'.repeat(1024 * 1024);
      for (let sent = 0; sent < 64; sent += 1) service.write(much);
      expect((await service.ended).exitCode).not.toBe(0);
    });

    it('ends by its signal', async () => {
      const controller = new AbortController();
      const service = await start('echo up; exec sleep 600', { signal: controller.signal });
      await linesOf(service).next();
      controller.abort();
      expect((await service.ended).exitCode).not.toBe(0);
    });

    it('does nothing if its start cannot be recorded, or was cancelled before', async () => {
      const seen: StartedProcess[] = [];
      const onStart = (process: StartedProcess) => {
        seen.push(process);
        throw new Error('disk full');
      };
      await expect(start('touch ran', { onStart })).rejects.toThrow('disk full');
      expect(await codeOf(start('touch ran', { signal: AbortSignal.abort() }))).toBe(
        'EXECUTION.CALL.CANCELLED',
      );
      expect(seen.length).toBe(1);
      expect(existsSync(join(fixture.root, 'ran'))).toBe(false);
    });
  });
}

async function* linesOf({ output }: Service): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of output) {
    const parts = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
