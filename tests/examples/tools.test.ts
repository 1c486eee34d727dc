import { describe, expect, it } from '@jest/globals';
import { ExampleFolder, node } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/tools.md';

interface ShownCall {
  readonly tool: string;
  readonly arguments: object;
  readonly result: { readonly success: boolean; readonly output: string };
}

describe(PAGE, () => {
  it('shows what the agent of examples/tools tries, and what it is told', () => {
    const folder = new ExampleFolder();
    const { out } = folder.toolgate(
      ...['run', 'examples/tools/workflow.yaml', '--script', 'examples/tools/script.yaml'],
      ...['--workspace', folder.workspace, '--output-format', 'json'],
    );
    const calls: readonly ShownCall[] = JSON.parse(out).states.try.tool_calls;
    const told = calls.map(shown).join('').replaceAll(folder.workspace, '/home/me/project');
    expect(blocksOf(PAGE, 'calls').join('')).toBe(told);
  });

  it('shows why the templates of refused.yaml are refused', () => {
    const { status, err } = new ExampleFolder().toolgate('check', 'examples/tools/refused.yaml');
    expect(status).toBe(2);
    expect(blocksOf(PAGE, 'text')).toContain(err);
  });

  it('names a program with a tool of its own that runs', () => {
    const { status, out } = node('examples/library/word-count.mjs', 'LICENSE');
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^It has \d+ words\.\n$/) });
    expect(node('examples/library/greet.mjs').out).toBe('Hello, world!\n');
  });
});

function shown({ tool, arguments: args, result }: ShownCall): string {
  const output = result.output.trimEnd().replaceAll('\n', '\n    ');
  return `${tool} ${JSON.stringify(args)}\n  ${result.success ? '✓' : '✗'} ${output}\n`;
}
