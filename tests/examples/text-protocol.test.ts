import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/text-protocol.md';

describe(PAGE, () => {
  it('shows examples/command/workflow.yaml as it is, and its program is the agent of a step with tools', () => {
    const file = 'examples/command/workflow.yaml';
    expect(blocksOf(PAGE, 'yaml')).toContain(readFileSync(file, 'utf8'));
    const folder = new ExampleFolder({ 'NOTES.md': '# On gates\n\nThey open.\n' });
    const { status, out, err } = folder.toolgate(
      ...['run', file, '--workspace', folder.workspace, '--output-format', 'json'],
    );
    expect({ status, err }).toEqual({ status: 0, err: expect.any(String) });
    expect(JSON.parse(out)).toMatchObject({
      states: {
        title: {
          output: 'tiny says: the title is "On gates".',
          stopped_by: 'completed',
          tool_calls: [{ tool: 'read_file', result: { success: true } }],
        },
      },
    });
  });
});
