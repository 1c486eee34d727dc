import { describe, expect, it } from '@jest/globals';
import { sandboxWarning } from '../../../src/interfaces/cli/sandbox-warning.js';

const NO_KERNEL = { kernel: false };

describe('sandboxWarning', () => {
  it.each([
    ['deny', 'will be denied every call'],
    ['prompt', 'will ask a person before every call'],
    ['warn', 'a program that is started can do what you can'],
  ] as const)('says what on_unavailable: %s comes to', (onUnavailable, words) => {
    const warning = sandboxWarning({ onUnavailable }, ['shell', 'test'], NO_KERNEL);
    expect(warning).toContain('the kernel does not confine processes here, so shell, test will');
    expect(warning).toContain(words);
  });

  it('says nothing where the kernel holds, or nothing is started', () => {
    expect(sandboxWarning({ onUnavailable: 'warn' }, ['shell'], { kernel: true })).toBeUndefined();
    expect(sandboxWarning({ onUnavailable: 'deny' }, [], NO_KERNEL)).toBeUndefined();
  });
});
