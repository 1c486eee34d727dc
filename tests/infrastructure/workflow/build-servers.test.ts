import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';

const read = (server: string, more = '') =>
  parseWorkflow(`name: x\nmcp_servers:\n  docs: ${server}\n${more}`);

describe('mcp_servers', () => {
  it('reads a server that is started', () => {
    const { mcpServers, inputs } = read(
      '{ command: node, args: ["{{inputs.script}}"], env: [LEVEL], tools: [search], approval: auto, timeout: 5s, restrictions: { hosts: [a.example], env: [LANG] } }',
    );
    expect(mcpServers).toEqual([
      {
        name: 'docs',
        transport: { type: 'stdio', command: 'node', args: ['{{inputs.script}}'] },
        tools: ['search'],
        approval: { default: 'auto', rules: [] },
        restrictions: { hosts: ['a.example'], env: ['LANG', 'LEVEL'] },
        timeoutMs: 5_000,
      },
    ]);
    expect(inputs.map(({ name }) => name)).toEqual(['script']);
  });

  it('reads a server that is reached, which asks unless told', () => {
    const { mcpServers } = read('{ url: "https://a.example/mcp", headers: { X: "{{env.T}}" } }');
    expect(mcpServers).toEqual([
      {
        name: 'docs',
        transport: { type: 'http', url: 'https://a.example/mcp', headers: { X: '{{env.T}}' } },
        approval: { default: 'prompt', rules: [] },
        restrictions: {},
      },
    ]);
  });

  it('lets a step name its tools, which are known only when it runs', () => {
    const step = (tool: string) => `steps: [{ name: s, provider: p, prompt: go, tools: [${tool}] }]`;
    const handlers: readonly string[] = [];
    const parse = (tool: string) =>
      parseWorkflow(`mcp_servers: { docs: { command: x } }\n${step(tool)}`, { handlers });
    expect(parse('docs_search').steps[0]?.tools).toEqual(['docs_search']);
    expect(() => parse('docz_search')).toThrow('no tool `docz_search`');
  });

  it('does not let a step name a tool that the list of the server leaves out', () => {
    const parse = (tool: string) =>
      parseWorkflow(
        `mcp_servers: { docs: { command: x, tools: [search, get.all] } }\nsteps: [{ name: s, provider: p, prompt: go, tools: [${tool}] }]`,
      );
    expect(parse('docs_get_all').steps[0]?.tools).toEqual(['docs_get_all']);
    expect(() => parse('docs_nope')).toThrow('is not one of the `tools` that `mcp_servers.docs` lists');
  });

  it('takes an address that a template gives', () => {
    expect(read('{ url: "{{inputs.base}}/mcp" }').mcpServers).toHaveLength(1);
  });

  it.each([
    ['{ args: [x] }', 'needs `command`'],
    ['{ command: x, url: "https://a.example" }', 'both `command` and `url`'],
    ['{ command: x, headers: { a: b } }', '`headers` is for a server with `url`'],
    ['{ url: "https://a.example", args: [x] }', '`args` is for a server with `command`'],
    ['{ url: "ftp://x/" }', 'begins with https:// or http://'],
    ['{ url: not a url }', 'is no address of a server'],
    ['{ command: x, env: { A: b } }', 'env'],
    ['{ command: x, comand: y }', 'comand'],
    ['{ command: x, args: ["{{nowhere.x}}"] }', 'nowhere'],
  ])('refuses %s', (server, words) => {
    expect(() => read(server)).toThrow(words);
  });
});
