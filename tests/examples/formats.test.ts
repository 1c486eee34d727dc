import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/formats.md';
const FILE = 'examples/formats/workflow.yaml';

describe(PAGE, () => {
  it('shows a workflow with a format of its own, and its calls are read', () => {
    const declared = readFileSync(FILE, 'utf8')
      .split('\n\n')
      .find((part) => part.startsWith('formats:'));
    expect(blocksOf(PAGE, 'yaml')).toContain(`${declared}\n`);
    const folder = new ExampleFolder({ 'notes.md': 'The gate opens.\n' });
    const { status, out } = folder.toolgate(
      ...['run', FILE, '--script', 'examples/formats/script.yaml'],
      ...['--workspace', folder.workspace, '--output-format', 'json'],
    );
    const { ask } = JSON.parse(out).states;
    expect([status, ask.output]).toEqual([0, 'It says that the gate opens.']);
    expect(ask.tool_calls).toMatchObject([{ tool: 'read_file', arguments: { path: 'notes.md' } }]);
  });
});
