import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CliFixture } from '../fixture.js';
import { createInterruptible, interruptedRun, runFolder } from '../interrupted-run.js';

let cli: CliFixture;

beforeEach(async () => {
  cli = await createInterruptible();
});

afterEach(() => cli.remove());

describe('toolgate runs', () => {
  it('lists runs newest first, and broken ones among them', async () => {
    const first = await interruptedRun(cli);
    const second = await interruptedRun(cli);
    await appendFile(join(await runFolder(cli, first), 'journal.jsonl'), '{"not":"a record"}\n');
    const { code, out } = await cli.run('runs', '--output-format', 'json');
    expect(code).toBe(0);
    const runs = JSON.parse(out).runs;
    expect(runs.map(({ run_id, status }: Record<string, string>) => [run_id, status]).sort()).toEqual(
      [
        [first, 'broken'],
        [second, 'cancelled'],
      ].sort(),
    );
    const table = (await cli.run('runs')).out;
    expect(table).toMatch(/^RUN +WORKFLOW +STARTED/);
    expect(table).toContain('broken');
  });

  it('says what a loop without a run around it is', async () => {
    const { JsonlRunJournal } = await import('../../../../src/infrastructure/journal/jsonl-run-journal.js');
    const journal = new JsonlRunJournal({ workspace: cli.workspace, env: { XDG_STATE_HOME: cli.state } });
    const session = await journal.open('loop-1', 'create', { secrets: [], durability: 'crash' });
    session.append({ type: 'outcome', id: 's/begin', kind: 'begin', value: { at: 1 } });
    await session.close();
    expect((await cli.run('runs')).out).toContain('a loop without a run (ToolOrchestrator on its own)');
  });

  it('knows those of this workspace only, unless asked for all', async () => {
    const runId = await interruptedRun(cli);
    await cli.write('sub/x', '');
    const here = await cli.run('runs', '--workspace', 'sub');
    expect(here).toMatchObject({ code: 0, out: '' });
    expect(here.err).toContain('there are no runs');
    expect((await cli.run('runs', '--workspace', 'sub', '--all')).out).toContain(runId);
  });
});
