import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliFixture, createCliFixture } from '../fixture.js';

const WORKFLOW = `
name: reach
inputs: [{ name: root, description: "where to look\\e[2J" }]
tools:
  - name: read_file
    builtin: true
    approval: { default: auto, rules: [{ when: { path: { pattern: "^secret" } }, mode: deny }] }
    restrictions: { paths: { read: ["{{inputs.root}}/**"], deny: ["{{inputs.root}}/.git/**"] } }
  - name: search
    command: "rg '{{args.pattern}}' {{inputs.root}}"
    parameters: [{ name: pattern }]
    restrictions: { env: [LANG], memory: 1GiB, max_output: 1000 }
  - { name: fetch, builtin: http_request, restrictions: { hosts: [api.example.com] } }
steps:
  - name: one
    provider: scripted
    prompt: "{{inputs.root}}"
    tools: [read_file, search]
    tool_options: { max_calls: 5, timeout_per_call: 90s, max_cost_usd: 2 }
`;

let cli: CliFixture;

beforeAll(async () => {
  cli = await createCliFixture();
  await cli.write('flow.yaml', WORKFLOW);
  await cli.write('project/a.txt', '');
});

afterAll(() => cli.remove());

describe('toolgate check', () => {
  it('shows patterns as written while inputs are not known', async () => {
    const { code, out, err } = await cli.run('check', 'flow.yaml', '--output-format', 'json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      name: 'reach',
      workspace: cli.workspace,
      resolved: false,
      inputs: [{ name: 'root', type: 'string', required: true, secret: false }],
      sandbox: { on_unavailable: 'deny', kernel: expect.any(Boolean) },
    });
    const [read, search, fetch] = report.tools;
    expect(read).toMatchObject({
      read: ['{{inputs.root}}/**'],
      write: [],
      deny: ['{{inputs.root}}/.git/**'],
      commands: [],
      denied_here: false,
      enforcement: { fs_read: 'in-process', exec: 'none' },
    });
    expect(search).toMatchObject({
      read: [`${cli.workspace}/**`, '{{inputs.root}}/**'],
      commands: 'system',
      env: ['LANG'],
      limits: { memory_bytes: 1024 ** 3, pids: 64, max_output_bytes: 1000 },
      // On a machine whose kernel confines no processes, every call of it is denied.
      denied_here: !report.sandbox.kernel,
    });
    expect(fetch).toMatchObject({ hosts: ['api.example.com'], enforcement: { network: 'in-process' } });
  });

  it('shows absolute patterns once they are', async () => {
    const { out } = await cli.run('check', 'flow.yaml', '-i', 'root=project', '--output-format', 'json');
    const report = JSON.parse(out);
    expect(report.resolved).toBe(true);
    expect(report.tools[0].read).toEqual([join(cli.workspace, 'project/**')]);
  });

  it('says it all in words that cannot act on a terminal', async () => {
    const { out } = await cli.run('check', 'flow.yaml');
    expect(out).not.toContain('\x1b');
    for (const line of [
      'flow.yaml is valid',
      '  root: string, required (where to look\\u{1b}[2J)',
      'read_file (built-in read_file)\n  approval  auto\n            deny when the arguments fit {',
      '  runs      any program of the system folders',
      '  limits    1000 bytes output, 1 GiB memory, 64 processes',
      '  held by   ',
      '  reaches   api.example.com',
      '  one: scripted with read_file, search; at most 5 calls, 1 min 30 s each, 8 at once, $2',
    ]) {
      expect(out).toContain(line);
    }
  });

  it('says which programs are not installed', async () => {
    await cli.write(
      'missing.yaml',
      `
sandbox: { on_unavailable: warn }
tools:
  - { name: search, command: "no-such-rg -e {{args.x}} | sort", parameters: [{ name: x }] }
  - { name: shell, builtin: true, restrictions: { commands: [ls, no-such-fd] } }
  - { name: fine, command: "ls {{args.x}}", parameters: [{ name: x }] }
`,
    );
    const { code, out } = await cli.run('check', 'missing.yaml');
    expect(code).toBe(0);
    const said = out.split('\n').filter((line) => line.includes('no such program'));
    expect(said).toEqual([
      expect.stringMatching(/^ {2}but {7}"no-such-rg" cannot be run: .*it has to be installed first$/),
      expect.stringMatching(/^ {2}but {7}"no-such-fd" cannot be run: .*it has to be installed first$/),
    ]);
  });

  it('refuses a command template that could become shell text, without any inputs', async () => {
    await cli.write(
      'unsafe.yaml',
      `
tools: [{ name: any, command: "{{args.program}} now", parameters: [{ name: program }] }]
steps: [{ name: one, provider: scripted, prompt: "{{inputs.x}}", tools: [any] }]
`,
    );
    const { code, err } = await cli.run('check', 'unsafe.yaml');
    expect(code).toBe(2);
    expect(err).toContain('[WORKFLOW.TOOL.UNSAFE_TEMPLATE]');
  });

  it('says what MCP servers may do, and starts none', async () => {
    await cli.write(
      'servers.yaml',
      `
name: servers
sandbox: { on_unavailable: warn }
mcp_servers:
  docs: { command: no-such-program, args: [--quick], tools: [search], approval: auto, timeout: 5s, restrictions: { paths: { read: ["docs/**"] } } }
  tickets: { url: "https://tickets.example.com/mcp" }
steps: [{ name: one, provider: scripted, prompt: hi, tools: [docs_search] }]
`,
    );
    const { code, out } = await cli.run('check', 'servers.yaml', '--output-format', 'json');
    expect(code).toBe(0);
    const { mcp_servers: servers, tools } = JSON.parse(out);
    expect(tools).toEqual([]);
    expect(servers).toMatchObject([
      {
        name: 'docs',
        source: 'MCP server: no-such-program --quick',
        description: 'docs_search',
        approval: { default: 'auto' },
        read: [join(cli.workspace, 'docs/**')],
        limits: { timeout_ms: 5_000 },
      },
      {
        name: 'tickets',
        source: 'MCP server at https://tickets.example.com/mcp',
        description: 'all that it lists',
        approval: { default: 'prompt' },
        hosts: ['tickets.example.com'],
        enforcement: { network: 'in-process', fs_read: 'none' },
      },
    ]);
    const { out: text } = await cli.run('check', 'servers.yaml');
    expect(text).toContain(
      'docs (MCP server: no-such-program --quick)\n  tools     docs_search\n  approval  auto',
    );
    expect(text).toContain('`toolgate mcp` starts the MCP servers');
  });

  const stepOf = (provider: string, options = '{}') =>
    `steps: [{ name: one, provider: ${provider}, prompt: hi, options: ${options} }]`;

  it.each([
    ['a provider that there is not', stepOf('antropic'), 'did you mean "anthropic"?', 'UNKNOWN'],
    ['a mistyped option', stepOf('anthropic', '{ modle: m }'), 'did you mean model?', 'INVALID_OPTIONS'],
    [
      'an option of a command line',
      stepOf('claude', '{ modle: m }'),
      'did you mean model?',
      'INVALID_OPTIONS',
    ],
  ])('refuses %s', async (_, workflow, hint, code) => {
    await cli.write('wrong.yaml', workflow);
    const { code: exit, err } = await cli.run('check', 'wrong.yaml');
    expect(exit).toBe(2);
    expect(err).toMatch(/^error: Step "one": /);
    expect(err).toContain(hint);
    expect(err).toContain(`[WORKFLOW.PROVIDER.${code}]`);
  });

  it('finds a wrong provider also while inputs are not known', async () => {
    await cli.write('wrong.yaml', `inputs: [{ name: x, required: true }]\n${stepOf('antropic')}`);
    expect(await cli.run('check', 'wrong.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('anthropic'),
    });
  });

  it('says that a price is not known where money is a limit, of the step or of all', async () => {
    const local = "{ model: m, base_url: 'http://127.0.0.1:1/v1' }";
    const warning = 'max_cost_usd cannot hold: the price of "m" is not known';
    await cli.write('budget.yaml', `budget: { max_cost_usd: 1 }\n${stepOf('openai_compatible', local)}`);
    const { code, out } = await cli.run('check', 'budget.yaml');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(`    warning: ${warning}`) });
    const { out: json } = await cli.run('check', 'budget.yaml', '--output-format', 'json');
    expect(JSON.parse(json).steps[0].warnings).toEqual([expect.stringContaining(warning)]);
    await cli.write('free.yaml', stepOf('openai_compatible', local));
    expect((await cli.run('check', 'free.yaml')).out).not.toContain('warning: max_cost_usd');
  });

  it('says what a step lacks on this machine, and that the file is valid all the same', async () => {
    await cli.write('keyless.yaml', stepOf('anthropic', '{ model: m, api_key_env: NO_SUCH_KEY }'));
    const { code, out } = await cli.run('check', 'keyless.yaml');
    expect(code).toBe(0);
    expect(out).toContain('cannot run here: The provider "anthropic" needs a key: set NO_SUCH_KEY');
    const { out: json } = await cli.run('check', 'keyless.yaml', '--output-format', 'json');
    expect(JSON.parse(json).steps[0].cannot_run_here).toContain('NO_SUCH_KEY');
  });

  it('tells unsafe commands together with everything else, each with its place', async () => {
    const tools = [
      'tools:',
      '  - { name: a, command: "sh -c {{args.x}}", parameters: [{ name: x }] }',
      '  - { nam: b }',
    ];
    await cli.write('unsafe.yaml', tools.join('\n'));
    const { code, err } = await cli.run('check', 'unsafe.yaml');
    expect(code).toBe(2);
    expect(err).toMatch(/unsafe\.yaml:2:32 tools\[0\]\.command: \{\{args\.x\}\} cannot be filled in safely/);
    expect(err).toMatch(/unsafe\.yaml:3:7 unknown key `nam`/);
  });
});
