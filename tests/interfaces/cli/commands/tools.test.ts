import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
  await cli.write(
    'flow.yaml',
    `
tools: [{ name: read_file, builtin: true }]
mcp_servers:
  docs: { command: no-such-program, tools: [search] }
  tickets: { url: "https://tickets.example.com/mcp" }
`,
  );
});

afterAll(() => cli.remove());

describe('toolgate tools', () => {
  it('names MCP servers beside the tools, and starts none', async () => {
    const { code, out } = await cli.run('tools', 'flow.yaml', '--output-format', 'json');
    expect(code).toBe(0);
    const { tools, mcp_servers: servers } = JSON.parse(out);
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(['read_file']);
    expect(servers).toEqual([{ name: 'docs', tools: ['docs_search'] }, { name: 'tickets' }]);
    const { out: text } = await cli.run('tools', 'flow.yaml');
    expect(text).toContain('docs_… (of the MCP server "docs": docs_search)');
    expect(text).toContain('tickets_… (of the MCP server "tickets": all that it lists)');
  });
});
