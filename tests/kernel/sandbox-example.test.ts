import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from '../examples/example-folder.js';
import { blocksOf } from '../examples/page.js';

interface ShownCall {
  readonly arguments: { readonly command: string };
  readonly result: { readonly success: boolean; readonly output: string; readonly duration_ms: number };
}

describe('docs/sandbox.md', () => {
  it('shows what the agent of examples/sandbox tries, and what it is told', () => {
    const folder = new ExampleFolder({
      'words.txt': 'b\na\n',
      'my.key': 'secret',
      'build/keep/notes.txt': 'kept\n',
    });
    process.env.SECRET_TOKEN = 'sesame';
    const { status, out } = folder.toolgate(
      ...['run', 'examples/sandbox/workflow.yaml', '--script', 'examples/sandbox/script.yaml'],
      ...['--workspace', folder.workspace, '--output-format', 'json'],
    );
    Reflect.deleteProperty(process.env, 'SECRET_TOKEN');
    const calls: readonly ShownCall[] = JSON.parse(out).states.build.tool_calls;
    expect(status).toBe(0);
    expect(blocksOf('docs/sandbox.md', 'calls').join('')).toBe(calls.map(shown).join(''));
    expect(folder.read('build/sorted.txt')).toBe('a\nb\n');
    expect(folder.read('words.txt')).toBe('b\na\n');
    // The process that was left behind did not keep the call waiting.
    expect(Math.max(...calls.map(({ result }) => result.duration_ms))).toBeLessThan(10_000);
  }, 60_000);
});

function shown({ arguments: { command }, result }: ShownCall): string {
  const output = result.output.trimEnd().replaceAll('\n', '\n    ');
  return `$ ${command}\n  ${result.success ? '✓' : '✗'} ${output}\n`;
}
