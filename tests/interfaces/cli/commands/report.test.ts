import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CliFixture } from '../fixture.js';
import { createInterruptible, interruptedRun, runFolder } from '../interrupted-run.js';

let cli: CliFixture;

beforeEach(async () => {
  cli = await createInterruptible();
});

afterEach(() => cli.remove());

describe('toolgate report', () => {
  it('tells what a run did, as Markdown or as a page', async () => {
    const runId = await interruptedRun(cli);
    const { code, out } = await cli.run('report', runId);
    expect(code).toBe(0);
    expect(out).toContain(`- **Run**: \`${runId}\``);
    expect(out).toContain('### Call 1');
    const page = await cli.run('report', 'latest', '--format', 'html');
    expect(page.out).toMatch(/^<!doctype html>/);
    expect(page.out).toContain(runId);
  });

  it('lends no looks to a trail that was changed', async () => {
    const runId = await interruptedRun(cli);
    const file = join(await runFolder(cli, runId), 'audit.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter((line) => !line.includes('"tool.result"')).join('\n'));
    const { code, out, err } = await cli.run('report', runId);
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('its audit trail is not');
  });
});
