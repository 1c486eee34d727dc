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
});
