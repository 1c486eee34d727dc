import { describe, expect, it } from '@jest/globals';
import { wireName } from '../../../../src/infrastructure/providers/http/call-values.js';

describe('the name of a call that goes back to the model', () => {
  it.each([
    ['read_file', 'read_file'],
    ['mcp__docs__find-page', 'mcp__docs__find-page'],
    ['multi_tool_use.parallel', 'multi_tool_use_parallel'],
    ['читать', '______'],
    ['', 'unnamed'],
    ['x'.repeat(65), 'x'.repeat(64)],
  ])('is one that every API takes: %s', (name, sent) => {
    expect(wireName(name)).toBe(sent);
  });
});
