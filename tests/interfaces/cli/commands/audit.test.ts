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

describe('toolgate audit', () => {
  it('prints the trail as it is, and vouches for it', async () => {
    const runId = await interruptedRun(cli);
    const { code, out } = await cli.run('audit', runId);
    expect(code).toBe(0);
    expect(out).toBe(await readFile(join(await runFolder(cli, runId), 'audit.jsonl'), 'utf8'));
    expect(JSON.parse((await cli.run('audit', runId, '--output-format', 'json')).out)).toHaveLength(
      out.trimEnd().split('\n').length,
    );
    expect((await cli.run('audit', runId, '--verify')).out).toMatch(/^\d+ records, chain sound\n$/);
  });

  it('names the first record of a journal that was changed', async () => {
    const runId = await interruptedRun(cli);
    const file = join(await runFolder(cli, runId), 'journal.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(
      file,
      lines.map((line, index) => (index === 3 ? line.replace('"at":1', '"at":2') : line)).join('\n'),
    );
    const { code, out, err } = await cli.run('audit', runId, '--verify');
    expect({ code, out }).toEqual({ code: 4, out: '' });
    expect(err).toContain('broken at line 4');
  });

  it('finds a line missing from the trail', async () => {
    const runId = await interruptedRun(cli);
    const file = join(await runFolder(cli, runId), 'audit.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter((line) => !line.includes('"tool.result"')).join('\n'));
    const { code, err } = await cli.run('audit', runId, '--verify');
    expect(code).toBe(4);
    expect(err).toMatch(
      /its audit trail is not: line \d+ comes where record \d+ \(outcome\) should be told of/,
    );
  });

  it('finds what was changed in a line of the trail, and a report of it is refused', async () => {
    const runId = await interruptedRun(cli);
    const file = join(await runFolder(cli, runId), 'audit.jsonl');
    const trail = await readFile(file, 'utf8');
    await writeFile(file, trail.replace('"approval":"flag"', '"approval":"user"'));
    const { code, err } = await cli.run('audit', runId, '--verify');
    expect({ code, changed: (await readFile(file, 'utf8')) !== trail }).toEqual({ code: 4, changed: true });
    expect(err).toMatch(/line \d+ was changed: its approval is not what record \d+ says/);
    expect((await cli.run('report', runId)).code).toBe(4);
  });

  it('does not vouch for a run that is over and whose trail ends in the middle of a line', async () => {
    const runId = await interruptedRun(cli);
    await cli.run('resume', runId, '--yes', '-i', 'token=sesame-open');
    expect((await cli.run('audit', runId, '--verify')).code).toBe(0);
    const file = join(await runFolder(cli, runId), 'audit.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, -20));
    const { code, err } = await cli.run('audit', runId, '--verify');
    expect(code).toBe(4);
    expect(err).toMatch(/record \d+ \(run-ended\) should be told of/);
  });

  it('knows no run that never was', async () => {
    expect(await cli.run('audit', '../etc')).toMatchObject({ code: 1, out: '' });
  });
});
