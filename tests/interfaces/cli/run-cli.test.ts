import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../src/interfaces/cli/command-table.js';
import { runCli } from '../../../src/interfaces/cli/run-cli.js';
import { captureIo } from './fixture.js';

async function run(...argv: readonly string[]) {
  const { io, text } = captureIo();
  return { code: await runCli(argv, io), ...text() };
}

describe('runCli', () => {
  it.each(COMMANDS.map(({ usage }) => usage.split(' ')[0] ?? ''))(
    'shows an example in the help of %s',
    async (name) => {
      const { code, out, err } = await run(name, '--help');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/Examples?:\n {2}\$ .*toolgate /);
      expect(out.startsWith(`Usage: toolgate ${name}`)).toBe(true);
    },
  );

  it('gives the same help through the help command', async () => {
    expect(await run('help', 'run')).toEqual(await run('run', '--help'));
  });

  it('lists the commands and fails when none is named', async () => {
    const { code, out, err } = await run();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Commands:');
  });

  it('suggests the command that was meant', async () => {
    expect(await run('rnu')).toEqual({
      code: 1,
      out: '',
      err: "error: unknown command 'rnu' [USER.ARGUMENT.INVALID]\n(Did you mean run?)\n",
    });
  });

  it('suggests the option that was meant', async () => {
    const { code, err } = await run('run', 'x.yaml', '--aprove', 'shell');
    expect(code).toBe(1);
    expect(err).toContain("unknown option '--aprove' [USER.ARGUMENT.INVALID]\n(Did you mean --approve?)");
  });

  it.each([
    ['a value without a name', ['-i', '=x'], 'Write it as key=value'],
    ['a name without a value', ['-i', 'x'], 'Write it as key=value'],
    ['an input that is given twice', ['-i', 'a=1', '-i', 'a=2'], '"a" is given twice'],
    [
      'an output format that is none',
      ['--output-format', 'xml'],
      'Allowed choices are text, json, stream-json',
    ],
    ['a durability that is none', ['--durability', 'none'], 'Allowed choices are crash, power'],
  ])('refuses %s', async (_, options, message) => {
    const { code, out, err } = await run('run', 'x.yaml', ...options);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });

  it('says what went wrong as words, and as data where data was asked for', async () => {
    const { code, out, err } = await run('run', 'no-such.yaml', '--output-format', 'json');
    expect(code).toBe(1);
    expect(err).toBe('error: no-such.yaml: there is no such file [USER.FILE.NOT_FOUND]\n');
    expect(JSON.parse(out)).toEqual({
      success: false,
      error: { code: 'USER.FILE.NOT_FOUND', message: 'no-such.yaml: there is no such file' },
    });
  });

  it('keeps an error of stream-json on one line', async () => {
    const { out } = await run('run', 'no-such.yaml', '--output-format=stream-json');
    expect(out.split('\n')).toHaveLength(2);
    expect(JSON.parse(out)).toMatchObject({ type: 'error', success: false });
  });

  it('gives a mistyped option as data too', async () => {
    const { out } = await run('run', '--output-format', 'json', '--nope');
    expect(JSON.parse(out)).toMatchObject({ success: false, error: { code: 'USER.ARGUMENT.INVALID' } });
  });

  it('shows a stack only on request', async () => {
    const { io, text } = captureIo({ env: { TOOLGATE_DEBUG: '1' } });
    await runCli(['run', 'no-such.yaml'], io);
    expect(text().err).toContain('    at ');
    expect((await run('run', 'no-such.yaml')).err).not.toContain('    at ');
  });

  it('spells out what a file name could do to a terminal', async () => {
    const { err } = await run('check', 'a\x1b[2Jb.yaml');
    expect(err).not.toContain('\x1b');
    expect(err).toContain('a\\u{1b}[2Jb.yaml');
  });
});
