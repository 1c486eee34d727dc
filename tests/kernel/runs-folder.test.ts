import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RunsHome } from '../support/runs-home.js';

/** The state folder lies where a process may read and write: a home that was given whole. */
describe('the folder of the runs, to a process', () => {
  let runs: RunsHome;
  beforeEach(() => {
    runs = new RunsHome();
  });

  it('has nothing in it', async () => {
    const journal = runs.writeRun();
    const command = `cat ${runs.home}/notes.md; cat ${journal}; grep -rs SECRET ${runs.home}; find ${runs.home}`;
    const { output } = await runs.call('anything', { command });
    expect(output).toContain('NOTES');
    expect(output).not.toMatch(/SECRET|journal\.jsonl$/m);
  });

  it('stays where it is', async () => {
    const journal = runs.writeRun();
    const moved = journal.replace(runs.state, `${runs.home}/moved`);
    await runs.call('anything', { command: `mv ${runs.state} ${runs.home}/moved` });
    const { output } = await runs.call('anything', { command: `cat ${moved}` });
    expect(output).not.toContain('SECRET');
    expect(existsSync(journal)).toBe(true);
  });
});
