import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from '../examples/example-folder.js';

const FILES = ['examples/approval/workflow.yaml', '--script', 'examples/approval/script.yaml'];

/** A run that waits for an answer on a page, as another process sees it. */
class WaitingRun {
  readonly folder = new ExampleFolder();
  readonly child: ChildProcess;
  runId = '';
  readonly #lines: AsyncIterator<string>;

  constructor() {
    const where = ['--workspace', this.folder.workspace, '--approvals', 'http://127.0.0.1:0'];
    this.child = this.folder.start('run', ...FILES, ...where);
    this.#lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  async reach(type: string): Promise<void> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) {
      const event = JSON.parse(next.value);
      this.runId ||= event.run_id ?? '';
      if (event.type === type) return;
    }
    throw new Error(`the run ended before ${type}`);
  }

  get summary() {
    const { out } = this.folder.toolgate(
      ...['runs', '--workspace', this.folder.workspace, '--output-format', 'json'],
    );
    return JSON.parse(out).runs[0];
  }

  allow() {
    const [{ call_id, plan_hash }] = this.summary.waiting;
    return this.folder.toolgate('approve', this.runId, call_id, '--yes', '--plan', plan_hash);
  }

  get isPublished(): boolean {
    return existsSync(join(this.folder.workspace, 'site/gates.md'));
  }
}

describe('an answer from another process', () => {
  it('reaches a run that waits', async () => {
    const run = new WaitingRun();
    const closed = once(run.child, 'close');
    await run.reach('approval-ask');
    expect(run.summary).toMatchObject({
      status: 'running',
      waiting: [{ tool: 'publish', call_id: 'call_004' }],
    });
    expect(run.allow()).toMatchObject({ status: 0, err: 'call_004: allowed\n' });
    expect(await closed).toEqual([0, null]);
    expect(run.isPublished).toBe(true);
  }, 60_000);

  it('waits for a run that was killed while it asked, and that runs nothing before', async () => {
    const run = new WaitingRun();
    await run.reach('approval-ask');
    run.child.kill('SIGKILL');
    await once(run.child, 'close');
    expect(run.summary).toMatchObject({ status: 'crashed', waiting: [{ call_id: 'call_004' }] });
    expect(run.allow()).toMatchObject({ status: 0, err: expect.stringContaining('toolgate resume') });
    expect(run.isPublished).toBe(false);
    expect(run.folder.toolgate('resume', run.runId).status).toBe(0);
    expect(run.isPublished).toBe(true);
    expect(run.folder.toolgate('audit', run.runId, '--verify').status).toBe(0);
  }, 60_000);
});
