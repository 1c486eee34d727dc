import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CliFixture } from '../fixture.js';
import { createInterruptible, interruptedRun } from '../interrupted-run.js';

let cli: CliFixture;

beforeEach(async () => {
  cli = await createInterruptible();
});

afterEach(() => cli.remove());

describe('toolgate resume', () => {
  it('goes on where an interrupted run stopped, and repeats nothing', async () => {
    const runId = await interruptedRun(cli);
    await writeFile(join(cli.workspace, 'data/a.txt'), 'changed meanwhile');
    const { code, out, err } = await cli.run(
      'resume',
      runId,
      '-i',
      'token=sesame-open',
      '--output-format',
      'json',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { run_id, status, states } = JSON.parse(out);
    expect({ run_id, status }).toEqual({ run_id: runId, status: 'success' });
    expect(states.one.tool_calls[1].result.output).toBe('changed meanwhile');
    expect(await cli.run('resume', runId, '-i', 'token=sesame-open')).toMatchObject({ code: 1, out: '' });
  });

  it('asks for secrets again, and for nothing else', async () => {
    const runId = await interruptedRun(cli);
    const missing = await cli.run('resume', runId);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('[USER.INPUT.MISSING]');
    const other = await cli.run('resume', runId, '-i', 'other=1');
    expect(other.err).toContain('only secret ones are given again [USER.INPUT.UNKNOWN]');
  });

  it('refuses a file that changed, until told to accept it', async () => {
    const runId = await interruptedRun(cli);
    await appendFile(join(cli.workspace, 'flow.yaml'), '# changed\n');
    const token = ['-i', 'token=sesame-open'];
    const refused = await cli.run('resume', runId, ...token);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('[USER.RUN.CHANGED]');
    expect((await cli.run('resume', runId, ...token, '--accept-changes')).code).toBe(0);
  });

  it('does without a file that is gone: the record has what it needs', async () => {
    const runId = await interruptedRun(cli);
    await rm(join(cli.workspace, 'flow.yaml'));
    expect((await cli.run('resume', runId, '-i', 'token=sesame-open')).code).toBe(0);
  });

  it('refuses to begin a workflow because one of its tools was called', async () => {
    await cli.run('call', 'flow.yaml', 'read_file', '--args', '{"path":"data/a.txt"}');
    const [runId = ''] = (await cli.run('runs')).out.split('\n')[1]?.split(' ') ?? [];
    const { code, err } = await cli.run('resume', runId);
    expect(code).toBe(1);
    expect(err).toContain('was a single call of read_file');
  });
});
