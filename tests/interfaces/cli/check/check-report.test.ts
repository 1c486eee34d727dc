import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadWorkflow } from '../../../../src/container.js';
import type { Enforcement, Layer } from '../../../../src/domain/enforcement.js';
import { checkToJson } from '../../../../src/interfaces/cli/check/check-json.js';
import { checkReport } from '../../../../src/interfaces/cli/check/check-report.js';
import { checkText } from '../../../../src/interfaces/cli/check/check-text.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const TOOLS = `
  - { name: listed, builtin: shell, restrictions: { commands: [ls] } }
  - { name: walled, builtin: shell, restrictions: { commands: [ls, cat], strict: true } }
  - { name: within, builtin: shell, restrictions: { commands: [ls], paths: ["src/**"] } }
  - { name: any, builtin: shell, restrictions: { commands: any, paths: { read: ["src/**"] }, hosts: [a.example] } }
  - { name: none, builtin: shell }
  - { name: piped, command: "ls | wc -l" }
  - { name: words, command: "wc -w -- {{args.path}}", parameters: [{ name: path }] }
  - { name: read_file, builtin: true, restrictions: { paths: ["src/**"] } }
`;

function enforcement(layer: Layer, exec: Layer): Enforcement {
  const held = { fsRead: layer, fsWrite: layer, network: layer, memory: layer, pids: layer };
  return { backend: 'some', ...held, exec, killTree: layer, env: layer, reasons: ['pids: because'] };
}

async function report(kernel: boolean, onUnavailable = 'deny') {
  const file = join(temporaryFolder(), 'workflow.yaml');
  const step = '{ name: one, provider: scripted, prompt: hi, tools: [] }';
  writeFileSync(file, `sandbox: { on_unavailable: ${onUnavailable} }\ntools:\n${TOOLS}\nsteps: [${step}]\n`);
  const workflow = await loadWorkflow(file);
  const capabilities = { kernel, enforcement: enforcement(kernel ? 'kernel' : 'none', 'in-process') };
  return checkReport({ workflow, workspace: '/w', capabilities, descriptions: new Map() });
}

/** The rows of one tool, by what stands before them. */
function rowsOf(text: string, tool: string): Record<string, string> {
  const section = text.split('\n\n').find((each) => each.startsWith(`${tool} (`)) ?? '';
  const rows = section.split('\n').slice(1);
  return Object.fromEntries(rows.map((row) => [row.slice(2, 12).trim(), row.slice(12)]));
}

describe('checkReport', () => {
  it('says what processes reach where the kernel holds them', async () => {
    const text = checkText(await report(true));
    expect(rowsOf(text, 'listed')).toMatchObject({
      reads: 'the programs and libraries of the system',
      writes: 'nothing',
      reaches: 'nothing',
    });
    expect(rowsOf(text, 'any')).toMatchObject({
      reads: 'src/**, the programs and libraries of the system',
      reaches: 'a.example',
    });
    expect(text).not.toContain('warning:');
  });

  it('says that a strict list is held by the kernel, or that nothing runs', async () => {
    expect(rowsOf(checkText(await report(true)), 'walled')).toMatchObject({
      runs: 'strictly ls, cat',
      'held by': expect.stringContaining('programs') as unknown,
    });
    const without = rowsOf(checkText(await report(false, 'warn')), 'walled');
    expect(without).toMatchObject({ 'held by': 'every call is denied here' });
  });

  it('says that a list of commands holds only what the arguments name, where the kernel does not', async () => {
    const text = checkText(await report(false, 'warn'));
    expect(rowsOf(text, 'listed')).toMatchObject({
      reads: '/w/** where its arguments name it; a listed program may read more by itself',
      writes: 'nothing that its arguments name; a listed program may write more by itself',
      reaches: 'whatever a listed program connects to by itself',
    });
    expect(rowsOf(text, 'within').reads).toBe(
      'src/** where its arguments name it; a listed program may read more by itself',
    );
  });

  it('says that nobody holds a shell there that may run anything', async () => {
    expect(rowsOf(checkText(await report(false, 'warn')), 'any')).toMatchObject({
      reads: 'anything that you can read (meant: src/**)',
      writes: 'anything that you can write (meant: nothing)',
      reaches: 'anything that you can reach (meant: a.example)',
    });
  });

  it('promises nothing for a tool that runs nothing, nor for one whose calls are denied', async () => {
    expect(rowsOf(checkText(await report(false, 'warn')), 'none')).toMatchObject({
      reads: 'nothing',
      runs: 'nothing: its restrictions list no commands',
    });
    expect(rowsOf(checkText(await report(false)), 'any')['held by']).toBe('every call is denied here');
  });

  it.each([
    ['listed', 'in-process'],
    ['any', 'none'],
    ['piped', 'none'],
    ['words', 'in-process'],
  ])('says who chooses the programs of %s: %s', async (name, exec) => {
    const { tools } = await report(true);
    expect(tools.find((tool) => tool.name === name)?.enforcement.exec).toBe(exec);
  });

  it('names every layer of a process, holder by holder', async () => {
    const text = checkText(await report(true));
    expect(text).toContain(
      '  held by   the kernel: reads, writes, network, memory, processes, left-overs, environment\n' +
        '            this process: programs\n',
    );
    expect(text).toContain('read_file (built-in read_file)');
    expect(rowsOf(text, 'read_file')['held by']).toBe('this process: reads, writes');
    expect(text).toContain(
      'sandbox: the kernel confines processes (some); `toolgate doctor` tries it\n  pids: because',
    );
  });

  it('gives the same as data', async () => {
    const json = checkToJson(await report(false, 'warn'));
    expect(json).toMatchObject({ sandbox: { kernel: false, backend: 'some', reasons: ['pids: because'] } });
    expect((json.tools as { name: string; reach: string }[]).map(({ name, reach }) => [name, reach])).toEqual(
      [
        ['listed', 'arguments'],
        ['walled', 'listed'],
        ['within', 'arguments'],
        ['any', 'open'],
        ['none', 'listed'],
        ['piped', 'open'],
        ['words', 'open'],
        ['read_file', 'listed'],
      ],
    );
  });

  it.each([
    [true, 'deny', undefined, 'listed'],
    [false, 'deny', 'the MCP server docs will not be started', 'listed'],
    [false, 'prompt', 'the MCP server docs will not be started', 'listed'],
    [false, 'warn', 'the MCP server docs will run with the checks of this process only', 'open'],
  ] as const)(
    'says of a server what holds it (kernel %s, on_unavailable %s)',
    async (kernel, onUnavailable, words, reach) => {
      const file = join(temporaryFolder(), 'workflow.yaml');
      const servers =
        'docs: { command: node, args: [docs.mjs], restrictions: { paths: { read: [docs.mjs] } } }';
      writeFileSync(file, `sandbox: { on_unavailable: ${onUnavailable} }\nmcp_servers: { ${servers} }\n`);
      const workflow = await loadWorkflow(file);
      const capabilities = { kernel, enforcement: enforcement(kernel ? 'kernel' : 'none', 'in-process') };
      const facts = { workflow, workspace: '/w', capabilities, descriptions: new Map<string, string>() };
      const json = checkToJson(checkReport(facts)) as {
        sandbox: { warning?: string };
        mcp_servers: object[];
      };
      if (words === undefined) expect(json.sandbox.warning).toBeUndefined();
      else expect(json.sandbox.warning).toContain(words);
      const isRefused = !kernel && onUnavailable !== 'warn';
      expect(json.mcp_servers).toMatchObject([{ name: 'docs', reach, denied_here: isRefused }]);
    },
  );
});
