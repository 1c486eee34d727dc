import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ExampleFolder } from './example-folder.js';

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

describe('docs/mcp.md', () => {
  it('serves examples/mcp to a client', async () => {
    const folder = new ExampleFolder({ 'gates.md': 'A gate lets through what it was told to.\n' });
    const client = new Client({ name: 'reader', version: '1' });
    open.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['dist/cli.js', 'serve', 'examples/mcp/workflow.yaml', '--workspace', folder.workspace],
        env: { ...process.env, XDG_STATE_HOME: `${folder.workspace}-state` } as Record<string, string>,
        stderr: 'ignore',
      }),
    );
    expect(client.getInstructions()).toContain('Notes in Markdown');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'read_note',
      'write_note',
      'count_words',
    ]);
    const read = await client.callTool({ name: 'read_note', arguments: { path: 'gates.md' } });
    expect(read.content).toEqual([{ type: 'text', text: 'A gate lets through what it was told to.\n' }]);
    const written = await client.callTool({ name: 'write_note', arguments: { path: 'b.md', content: '' } });
    expect(written.isError).toBe(true);
  });

  const RUN = ['--script', 'examples/mcp/script.yaml', '--output-format', 'json'];
  const days = { success: true, output: '29' };

  it('runs the agent of examples/mcp/client.yaml with the tool of a server', () => {
    const folder = new ExampleFolder();
    const { status, out, err } = folder.toolgate('run', 'examples/mcp/client.yaml', ...RUN);
    const check = folder.toolgate('check', 'examples/mcp/client.yaml', '--output-format', 'json');
    if (JSON.parse(check.out).sandbox.kernel) {
      expect(JSON.parse(out).states.ask.tool_calls[0].result).toMatchObject(days);
      return;
    }
    // Where the kernel does not confine, the server is not started, and the run says why.
    expect([status, JSON.parse(out).error.code]).toEqual([3, 'EXECUTION.SANDBOX.UNAVAILABLE']);
    expect(err).toContain(
      'warning: the kernel does not confine processes here, so the MCP server clock will not',
    );
    expect(err).toContain('MCP server "clock": ');
    expect(err).toContain('`sandbox: { on_unavailable: warn }`');
  });

  it('runs it anywhere once that is accepted', () => {
    const workflow = readFileSync('examples/mcp/client.yaml', 'utf8');
    const folder = new ExampleFolder({ 'client.yaml': `${workflow}\nsandbox: { on_unavailable: warn }\n` });
    const { out } = folder.toolgate('run', join(folder.workspace, 'client.yaml'), ...RUN);
    expect(JSON.parse(out).states.ask.tool_calls[0].result).toMatchObject(days);
  });
});
