import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';
import { FILES_SCRIPT, FILES_WORKFLOW } from '../workflows.js';

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
  await cli.write('flow.yaml', FILES_WORKFLOW);
  await cli.write('script.yaml', FILES_SCRIPT);
});

afterAll(() => cli.remove());

const SCRIPTED = ['run', 'flow.yaml', '--script', 'script.yaml'];

describe('toolgate run', () => {
  it('prints states of the specified shape, and exits with 0', async () => {
    const { code, out, err } = await cli.run(...SCRIPTED, '--yes', '--output-format', 'json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const result = JSON.parse(out);
    expect(Object.keys(result)).toEqual(['run_id', 'status', 'states']);
    expect(result.states.one).toMatchObject({
      tool_calls: [
        { id: 'call_001', tool: 'write_file', result: { success: true, approval: 'flag' } },
        { id: 'call_002', tool: 'read_file', result: { success: true, approval: 'auto' } },
      ],
      tool_stats: { total_calls: 2, successful: 2, failed: 0, denied: 0 },
      stopped_by: 'completed',
      turns: 3,
    });
  });

  it('gives tools the real secret and shows it nowhere', async () => {
    const text = await cli.run(...SCRIPTED, '--approve', 'write_file');
    const stream = await cli.run(...SCRIPTED, '--yes', '--output-format', 'stream-json');
    for (const { code, out, err } of [text, stream]) {
      expect(code).toBe(0);
      expect(out + err).not.toContain('sesame-open');
      expect(out).toContain('the word is [redacted]');
    }
    expect(await readFile(join(cli.workspace, 'data/a.txt'), 'utf8')).toBe('sesame-open inside');
  });

  it('shows progress to people and YAML states to whoever reads stdout', async () => {
    const { out, err } = await cli.run(...SCRIPTED, '--yes');
    expect(out).toMatch(/^states:\n {2}one:\n {4}output: the word is/);
    const progress = err.replace(/\d+ ms/g, 'N ms').replace(/run \S+/g, 'run ID');
    expect(progress).toBe(
      [
        'run ID files',
        'step one',
        '  turn 1: 1 call',
        '  → write_file path="data/a.txt" content="[redacted] inside"',
        '  ✓ write_file (N ms): File written: data/a.txt (18 bytes)',
        '  turn 2: 1 call',
        '  │ reading',
        '  → read_file path="data/a.txt"',
        '  ✓ read_file (N ms): [redacted] inside',
        '  turn 3: 0 calls',
        '  │ the word is [redacted]',
        '  completed (3 turns, 2 calls: 2 ok, 0 failed)',
        'run ID success',
        '',
      ].join('\n'),
    );
  });

  it('streams one event a line and ends with the result', async () => {
    const { out } = await cli.run(...SCRIPTED, '--yes', '--output-format', 'stream-json');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type !== 'text-delta').slice(0, 8)).toEqual([
      'run-start',
      'step-start',
      'turn-start',
      'turn-end',
      'approval-ask',
      'approval-answer',
      'call-start',
      'call-end',
    ]);
    expect(types.slice(-3)).toEqual(['step-end', 'run-end', 'result']);
    expect(events.at(-1)).toMatchObject({ status: 'success', states: { one: { stopped_by: 'completed' } } });
  });

  it('exits with 3 when nobody could approve, and says so', async () => {
    const { code, out, err } = await cli.run(...SCRIPTED, '--output-format', 'json');
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      status: 'failure',
      states: { one: { stopped_by: 'approval_unavailable', tool_stats: { denied: 1 } } },
    });
  });

  it('exits with 3 when the provider fails', async () => {
    await cli.write('broken.yaml', 'replies: [{ error: { message: no such model } }]');
    const { code, err } = await cli.run('run', 'flow.yaml', '--script', 'broken.yaml');
    expect(code).toBe(3);
    expect(err).toContain('no such model [EXECUTION.PROVIDER.FAILED]');
  });

  it('warns of a machine that cannot confine processes, and of no other', async () => {
    await cli.write(
      'warn.yaml',
      `
sandbox: { on_unavailable: warn }
tools: [{ name: greet, command: "echo hello", approval: auto }]
steps: [{ name: one, provider: scripted, prompt: go, tools: [greet] }]
`,
    );
    await cli.write(
      'greet.yaml',
      'replies: [{ tool_calls: [{ name: greet, arguments: {} }] }, { text: done }]',
    );
    const { code, out, err } = await cli.run('run', 'warn.yaml', '--script', 'greet.yaml');
    expect(code).toBe(0);
    expect(out).toContain('hello');
    const { sandbox } = JSON.parse((await cli.run('check', 'warn.yaml', '--output-format', 'json')).out);
    expect(err.includes('warning: the kernel does not confine processes here, so greet will run')).toBe(
      !sandbox.kernel,
    );
  });

  it.each([
    [
      'a script that nothing reads',
      ['--provider', 'claude', '--script', 'script.yaml'],
      1,
      'USER.ARGUMENT.INVALID',
    ],
    ['a provider that is not there', ['--provider', 'nobody'], 1, 'USER.ARGUMENT.INVALID'],
    ['an input nobody asked for', ['-i', 'nope=1'], 1, 'USER.INPUT.UNKNOWN'],
    ['an input from the prototype', ['-i', '__proto__=1'], 1, 'USER.INPUT.UNKNOWN'],
    ['a tool to approve that is not there', ['--approve', 'shell'], 1, 'USER.TOOL.UNKNOWN'],
    ['a workspace that is not there', ['--workspace', 'nowhere'], 1, 'USER.ARGUMENT.INVALID'],
    ['a script that is not there', ['--script', 'nowhere.yaml'], 1, 'USER.FILE.NOT_FOUND'],
  ])('refuses %s', async (_, options, exitCode, errorCode) => {
    const { code, out, err } = await cli.run('run', 'flow.yaml', ...options);
    expect({ code, out }).toEqual({ code: exitCode, out: '' });
    expect(err).toContain(`[${errorCode}]`);
  });

  it('exits with 2 and names every problem of a broken workflow', async () => {
    await cli.write('bad.yaml', 'tols: []\nsteps: [{ name: one, provider: x }]\n');
    const { code, out } = await cli.run('run', 'bad.yaml', '--output-format', 'json');
    expect(code).toBe(2);
    const { problems } = JSON.parse(out).error.details;
    expect(problems.length).toBeGreaterThan(1);
    expect(problems[0]).toMatchObject({ file: expect.stringContaining('bad.yaml'), line: 1, column: 1 });
  });
});
