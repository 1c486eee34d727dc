import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture, stdinOf } from '../fixture.js';
import { FILES_WORKFLOW } from '../workflows.js';

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } } };

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
    ['OpenAI', [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }]],
    ['Anthropic', { model: 'm', tools: [{ name: 'f', input_schema: SCHEMA }] }],
    ['Gemini', { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] }] }],
    ['Bedrock', [{ toolSpec: { name: 'f', inputSchema: { json: SCHEMA } } }]],
  ])('reads the tools of a request to %s', async (_, tools) => {
    await cli.write('request.json', JSON.stringify(tools));
    const stdin = stdinOf('{"name":"f","arguments":{"n":"1"}}');
    const { out } = await cli.runWith({ stdin }, 'parse', '-', '--tools', 'request.json');
    expect(JSON.parse(out).calls).toMatchObject([{ name: 'f', arguments: { n: 1 } }]);
  });

  it('reads the body and the event stream of a provider', async () => {
    const body = {
      role: 'assistant',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"n":1}' } }],
    };
    const choice = (key: string) =>
      JSON.stringify({ choices: [{ [key]: body, finish_reason: 'tool_calls' }] });
    for (const reply of [choice('message'), `\ufeffdata: ${choice('delta')}\r\n\r\ndata: [DONE]\r\n`]) {
      const { code, out } = await cli.runWith({ stdin: stdinOf(reply) }, 'parse', '--format', 'openai_chat');
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        calls: [{ id: 'c', name: 'f', complete: true }],
        problems: [],
      });
    }
  });

  it.each([
    ['a format that is none', ['--format', 'nope'], 'There is no format "nope" (there are: auto, '],
    ['a file that lists no tools', ['--tools', 'none.json'], '--tools none.json: expected a list of tools'],
    ['a tool without a name', ['--tools', 'list.json'], 'tool 1 needs a name'],
    ['a tools file that is not there', ['--tools', 'gone.json'], 'gone.json: there is no such file'],
  ])('refuses %s', async (_, options, message) => {
    await cli.write('list.json', '[{"title":"no name"}]');
    await cli.write('none.json', '{"title":"no tools"}');
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
