import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';

const FILES = { 'words.txt': 'b\na\n', 'my.key': 'secret', 'build/keep/notes.txt': 'kept\n' };

interface Call {
  readonly result: { readonly success: boolean; readonly error?: { readonly code: string } };
}

describe('docs/sandbox.md', () => {
  it('has an example that runs confined, or not at all', () => {
    const folder = new ExampleFolder(FILES);
    const { out } = folder.toolgate(
      ...['run', 'examples/sandbox/workflow.yaml', '--script', 'examples/sandbox/script.yaml'],
      ...['--workspace', folder.workspace, '--output-format', 'json'],
    );
    const calls: readonly Call[] = JSON.parse(out).states.build.tool_calls;
    const isRefused = ({ result }: Call) => result.error?.code === 'EXECUTION.SANDBOX.UNAVAILABLE';
    expect(calls.every(isRefused) || calls[0]?.result.success).toBe(true);
    expect([folder.read('words.txt'), folder.read('build/keep/notes.txt')]).toEqual(['b\na\n', 'kept\n']);
  }, 40_000);

  it('has an example whose limits `check` can name', () => {
    const { status, out } = new ExampleFolder(FILES).toolgate('check', 'examples/sandbox/workflow.yaml');
    expect({ status, out }).toEqual({
      status: 0,
      out: expect.stringContaining('256 MiB memory, 32 processes'),
    });
  });
});
