import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture, stdinOf } from '../fixture.js';
import { FILES_WORKFLOW } from '../workflows.js';

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
  await cli.write('flow.yaml', FILES_WORKFLOW);
  await cli.write('reply.txt', 'Here: {"name":"read_file","arguments":{"path":"a"}}');
});

afterAll(() => cli.remove());

describe('toolgate parse', () => {
  it('reads calls from standard input', async () => {
    const stdin = stdinOf('<tool_call>{"name":"x","arguments":{"a":1}}</tool_call>');
    const { code, out } = await cli.runWith({ stdin }, 'parse');
    expect(code).toBe(0);
    expect(JSON.parse(out).calls).toMatchObject([{ name: 'x', arguments: { a: 1 }, complete: true }]);
  });

  it('knows bare JSON for a call by the tools of a workflow, or by what `tools` prints', async () => {
    const tools = await cli.run('tools', 'flow.yaml', '--output-format', 'json');
    const names = JSON.parse(tools.out).tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(['read_file', 'write_file']);
    await cli.write('tools.json', tools.out);
    for (const file of ['flow.yaml', 'tools.json']) {
      const { out } = await cli.run('parse', 'reply.txt', '--tools', file);
      expect(JSON.parse(out).calls).toMatchObject([{ name: 'read_file', arguments: { path: 'a' } }]);
    }
  });

  it.each([
    ['a format that is none', ['--format', 'nope'], 'There is no format "nope" (there are: auto, '],
    ['a file that lists no tools', ['--tools', 'list.json'], 'expected a list of tools'],
  ])('refuses %s', async (_, options, message) => {
    await cli.write('list.json', '[{"title":"no name"}]');
    const { code, err } = await cli.run('parse', 'reply.txt', ...options);
    expect(code).toBe(1);
    expect(err).toContain(message);
  });
});

describe('toolgate tools', () => {
  it('prints what the model gets, and needs no inputs for it', async () => {
    const { code, out } = await cli.run('tools', 'flow.yaml');
    expect(code).toBe(0);
    expect(out).toMatch(/^read_file\n {2}\S.*\n {2}\{\n/);
    expect(out).toContain('"additionalProperties": false');
  });
});
