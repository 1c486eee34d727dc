import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ExampleFolder } from './example-folder.js';

describe('docs/cli-agents.md', () => {
  it('has an example that checks', () => {
    const { out } = new ExampleFolder().toolgate('check', resolve('examples/cli-agents/workflow.yaml'));
    expect(out).toContain('write_file');
  });
});
