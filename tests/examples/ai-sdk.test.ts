import { describe, expect, it } from '@jest/globals';
import { node } from './example-folder.js';

describe('docs/ai-sdk.md', () => {
  it.each([
    ['examples/ai-sdk/tools.mjs', 'Done. Hello, world! flag\n'],
    ['examples/ai-sdk/agent.mjs', 'Noon.\n'],
  ])('names %s, which runs', (file, expected) => {
    const { status, out, err } = node(file);
    expect({ status, out, err }).toEqual({ status: 0, out: expected, err: '' });
  });
});
