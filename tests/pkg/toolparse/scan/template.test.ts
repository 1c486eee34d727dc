import { describe, expect, it } from '@jest/globals';
import { Template } from '../../../../src/pkg/toolparse/scan/template.js';

describe('Template', () => {
  const invoke = new Template('<{ns}invoke name="{name}">');

  it('reads its slots', () => {
    expect(invoke.match("a <x:invoke  name='f.g'>b", 2)).toEqual({
      status: 'match',
      end: 24,
      filled: { ns: 'x', name: 'f.g' },
    });
    expect(invoke.match('<invoke name="f">', 0)).toMatchObject({
      status: 'match',
      filled: { ns: '', name: 'f' },
    });
  });

  it('tells a beginning from a misfit at every length', () => {
    const whole = '<x:invoke name="f">';
    for (let end = 0; end < whole.length; end += 1) {
      expect([end, invoke.match(whole.slice(0, end), 0).status]).toEqual([end, 'partial']);
      expect([end, invoke.match(`${whole.slice(0, end)}\n!`, 0).status]).toEqual([end, 'fail']);
    }
  });

  it('gives up on slots and blanks that are too long', () => {
    expect(invoke.match(`<invoke name="${'f'.repeat(200)}`, 0).status).toBe('fail');
    expect(invoke.match(`<invoke${' '.repeat(100)}`, 0).status).toBe('fail');
    expect(invoke.match(`<${'n'.repeat(40)}`, 0).status).toBe('fail');
  });

  it('writes itself with its slots filled', () => {
    expect(invoke.fill({ name: 'f' })).toBe('<invoke name="f">');
    expect(new Template('</{ns}invoke>').fill({ ns: 'x' })).toBe('</x:invoke>');
  });

  it('knows the text that every such mark begins with', () => {
    expect(new Template('[TOOL_CALLS] {name}').leadingText).toBe('[TOOL_CALLS]');
    expect(invoke.leadingText).toBe('');
    expect(new RegExp(`^${invoke.leadingPattern}$`).test('<ab:invoke')).toBe(true);
  });
});
