import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/workflows.md';

describe(PAGE, () => {
  it('shows release-notes.yaml as it is, and it runs', () => {
    const file = 'examples/workflows/release-notes.yaml';
    expect(blocksOf(PAGE, 'yaml')).toContain(readFileSync(file, 'utf8'));
    const folder = new ExampleFolder({ 'CHANGELOG.md': '- The gate opens.\n' });
    const { status, err } = folder.toolgate(
      ...['run', file, '--script', 'examples/scripts/release-notes.yaml'],
      ...['--approve', 'save_notes', '--workspace', folder.workspace],
    );
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('They are.') });
    expect(folder.read('notes/latest.md')).toBe('You can open the gate now.\n');
  });

  it('names the AWF dialect by a file that runs', () => {
    const folder = new ExampleFolder({ 'index.js': 'export {};\n' });
    const { status, err } = folder.toolgate(
      ...['run', 'examples/workflows/awf-code-review.yaml', '--workspace', folder.workspace],
      ...[
        '--provider',
        'scripted',
        '--script',
        'examples/scripts/awf-code-review.yaml',
        '-i',
        'file=index.js',
      ],
    );
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('One finding: no tests.') });
  });

  it('shows the errors of mistakes.yaml as they are', () => {
    const { status, err } = new ExampleFolder().toolgate('check', 'examples/workflows/mistakes.yaml');
    expect(status).toBe(2);
    expect(blocksOf(PAGE, 'text')).toContain(err);
  });
});
