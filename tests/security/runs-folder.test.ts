import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RunsHome } from '../support/runs-home.js';

const DENIED = { success: false, error: { code: 'EXECUTION.SANDBOX.DENIED' } };

/** The state folder lies where a tool may read and write: a home that was given whole. */
describe('the folder of the runs', () => {
  let runs: RunsHome;
  beforeEach(() => {
    runs = new RunsHome();
  });

  it.each(['forged', 'a/b/c/forged'])(
    'cannot be written by a tool that may write all around it: %s',
    async (name) => {
      const path = join(runs.state, 'toolgate', name);
      expect(await runs.call('write_file', { path, content: 'approved: always' })).toMatchObject(DENIED);
      expect(readdirSync(join(runs.state, 'toolgate')).join()).not.toContain('forged');
    },
  );

  it.each(['journal.jsonl', '../../../gone', '../../../../toolgate/other/runs/1/journal.jsonl'])(
    'cannot be read by a tool that may read all around it: %s',
    async (name) => {
      const path = `${join(runs.writeRun(), '..')}/${name}`;
      expect(await runs.call('read_file', { path })).toMatchObject(DENIED);
    },
  );

  it('keeps remembered decisions from the agent: it neither reads them nor writes its own', async () => {
    const path = join(runs.state, 'toolgate', 'other', 'approvals.yaml');
    const content = 'approvals: []';
    expect(await runs.call('write_file', { path, content })).toMatchObject(DENIED);
    expect(await runs.call('read_file', { path })).toMatchObject(DENIED);
  });

  it('cannot be read through a link', async () => {
    runs.writeRun();
    symlinkSync(join(runs.state, 'toolgate'), join(runs.workspace, 'link'));
    const path = 'link/other/runs/1/journal.jsonl';
    expect(await runs.call('read_file', { path })).toMatchObject(DENIED);
  });

  it('leaves what is beside it alone', async () => {
    const path = join(runs.state, 'notes.md');
    expect(await runs.call('write_file', { path, content: 'x' })).toMatchObject({ success: true });
    expect(await runs.call('read_file', { path })).toMatchObject({ success: true, output: 'x' });
  });

  it.each(['cat JOURNAL', 'grep -r SECRET HOME', 'cp -r STATE copy', 'tar cf copy.tar STATE'])(
    'is not read by a listed command, whether the kernel holds it or not: %s',
    async (line) => {
      const journal = runs.writeRun();
      const command = line
        .replace('JOURNAL', journal)
        .replace('HOME', runs.home)
        .replace('STATE', runs.state);
      const { output } = await runs.call('listed', { command });
      expect(output).not.toContain('SECRET');
      const copied = await runs.call('read_file', { path: 'copy/toolgate/other/runs/1/journal.jsonl' });
      expect(copied).toMatchObject({ success: false });
    },
  );
});
