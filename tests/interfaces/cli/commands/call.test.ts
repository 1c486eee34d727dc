import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture, stdinOf } from '../fixture.js';
import { FILES_WORKFLOW } from '../workflows.js';

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
  await cli.write('flow.yaml', FILES_WORKFLOW);
  await cli.write('data/a.txt', 'some text, and sesame-open\n');
});

afterAll(() => cli.remove());

describe('toolgate call', () => {
  it('prints the result of the call and exits with 0', async () => {
    const { code, out, err } = await cli.run(
      'call',
      'flow.yaml',
      'read_file',
      '--args',
      '{"path":"data/a.txt"}',
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { duration_ms, enforcement, ...rest } = JSON.parse(out);
    expect(rest).toEqual({ success: true, output: 'some text, and [redacted]\n', approval: 'auto' });
    expect(typeof duration_ms).toBe('number');
    expect(enforcement).toMatchObject({ fs_read: 'in-process', network: 'none' });
  });

  it('reads arguments from standard input', async () => {
    const io = { stdin: stdinOf('{"path":', '"data/a.txt"}') };
    const { code } = await cli.runWith(io, 'call', 'flow.yaml', 'read_file', '--args', '-');
    expect(code).toBe(0);
  });

  it.each([
    [
      'arguments that do not fit',
      ['read_file', '--args', '{"pth":1}'],
      'EXECUTION.CALL.INVALID_ARGUMENTS',
      'Did you mean "path"',
    ],
    [
      'arguments that are no JSON',
      ['read_file', '--args', '{path'],
      'EXECUTION.CALL.INVALID_ARGUMENTS',
      'JSON object',
    ],
    [
      'an argument that is there twice',
      ['read_file', '--args', '{"path":"data/a.txt","path":"/etc/passwd"}'],
      'EXECUTION.CALL.INVALID_ARGUMENTS',
      'path',
    ],
    ['no arguments at all', ['read_file'], 'EXECUTION.CALL.INVALID_ARGUMENTS', '"path" is missing'],
    [
      'a path outside',
      ['read_file', '--args', '{"path":"flow.yaml"}'],
      'EXECUTION.SANDBOX.DENIED',
      'outside',
    ],
  ])('exits with 3 and a failed result for %s', async (_, argv, errorCode, message) => {
    const { code, out, err } = await cli.run('call', 'flow.yaml', ...argv);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    const result = JSON.parse(out);
    expect(result).toMatchObject({ success: false, approval: 'none', error: { code: errorCode } });
    expect(result.error.message).toContain(message);
  });

  it('exits with 3 for a prompt that nobody answers, and tells people what they can do', async () => {
    const argv = ['write_file', '--args', '{"path":"data/b","content":""}'];
    const { code, out, err } = await cli.run('call', 'flow.yaml', ...argv);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('--approve TOOL or --yes') });
    const { error } = JSON.parse(out);
    expect(error.code).toBe('EXECUTION.APPROVAL.UNAVAILABLE');
    expect(error.message).toMatch(/no terminal$/);
  });

  it('runs what a flag approved', async () => {
    const args = ['--args', '{"path":"data/c","content":"x"}'];
    const { code, out } = await cli.run(
      'call',
      'flow.yaml',
      'write_file',
      ...args,
      '--approve',
      'write_file',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ success: true, approval: 'flag' });
  });

  it('exits with 1 for a tool that the workflow does not have', async () => {
    const { code, out, err } = await cli.run('call', 'flow.yaml', 'shell', '--args', '{}');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('has no tool "shell" (there are: read_file, write_file) [USER.TOOL.UNKNOWN]');
  });

  it('streams the events of the call when asked to', async () => {
    const args = ['--args', '{"path":"data/a.txt"}', '--output-format', 'stream-json'];
    const { out } = await cli.run('call', 'flow.yaml', 'read_file', ...args);
    const types = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toContain('call-end');
    expect(types.at(-1)).toBe('result');
  });
});
