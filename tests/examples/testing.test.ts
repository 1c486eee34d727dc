import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder, node } from './example-folder.js';
import { blocksOf } from './page.js';

const PAGE = 'docs/testing.md';

describe(PAGE, () => {
  it('shows examples/testing/script.yaml as it is, and it runs', () => {
    const script = 'examples/testing/script.yaml';
    expect(blocksOf(PAGE, 'yaml')).toContain(readFileSync(script, 'utf8'));
    const folder = new ExampleFolder();
    const { status, err } = folder.toolgate(
      ...['run', 'examples/testing/workflow.yaml', '--script', script, '--workspace', folder.workspace],
    );
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('There is no moon.') });
  });

  it('names tests that pass', () => {
    const { status, out } = node('--test', '--test-reporter=tap', 'examples/testing/workflow.test.mjs');
    expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining('# pass 7') });
  });
});
