import { describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../src/domain/enforcement.js';
import { NO_PERMISSIONS } from '../../../src/domain/restrictions.js';
import { type ClosableSandbox, SystemSandbox } from '../../../src/infrastructure/sandbox/system-sandbox.js';
import { FakeSandbox } from '../../../src/testing/fake-sandbox.js';
import { NEVER } from './fixture.js';

class FakeKernel extends FakeSandbox implements ClosableSandbox {
  probes = 0;
  closed = 0;

  constructor(private readonly works: boolean) {
    super();
  }

  override async probe() {
    this.probes++;
    const enforcement = {
      ...NOTHING_ENFORCED,
      backend: 'kernel',
      reasons: this.works ? [] : ['no bwrap here'],
    };
    return { kernel: this.works, enforcement };
  }

  async close() {
    this.closed++;
  }
}

const policy = (onUnavailable: 'deny' | 'warn') => ({
  workspace: process.cwd(),
  permissions: { ...NO_PERMISSIONS, commands: 'any' as const },
  onUnavailable,
});
const TRUE = { kind: 'argv', argv: ['true'] } as const;

describe('SystemSandbox', () => {
  it('takes the kernel where that works, and asks once', async () => {
    const kernel = new FakeKernel(true);
    const sandbox = new SystemSandbox(kernel);
    expect(kernel.probes).toBe(0);
    const plan = await sandbox.plan(policy('deny'), TRUE);
    await sandbox.run(plan, { signal: NEVER });
    expect((await sandbox.probe({ signal: NEVER })).kernel).toBe(true);
    expect([kernel.probes, kernel.plans.length, plan.confined]).toEqual([1, 1, true]);
    await sandbox.close();
    expect(kernel.closed).toBe(1);
  });

  it('falls back on checks of its own, and says why', async () => {
    const sandbox = new SystemSandbox(new FakeKernel(false));
    const { kernel, enforcement } = await sandbox.probe({ signal: NEVER });
    expect([kernel, enforcement.backend, enforcement.reasons[0]]).toEqual([
      false,
      'process',
      'no bwrap here',
    ]);
    const plan = await sandbox.plan(policy('warn'), TRUE);
    expect(plan.confined).toBe(false);
    expect((await sandbox.run(plan, { signal: NEVER })).exitCode).toBe(0);
  });

  it('refuses with the reason where the workflow wants the kernel', async () => {
    const sandbox = new SystemSandbox(new FakeKernel(false));
    await expect(sandbox.plan(policy('deny'), TRUE)).rejects.toMatchObject({
      code: 'EXECUTION.SANDBOX.UNAVAILABLE',
      message: expect.stringContaining('(no bwrap here)') as unknown,
    });
  });
});
