import { describe, expect, it } from '@jest/globals';
import { SourceText } from '../../../src/infrastructure/workflow/source-text.js';

describe('SourceText', () => {
  const source = new SourceText('a.yaml', 'name: x\r\ntools:\r\n  - nam: a\r\n\r\nend: 1');

  it('counts lines and columns from 1', () => {
    expect(source.positionAt(0)).toEqual({ line: 1, column: 1 });
    expect(source.positionAt(source.text.indexOf('nam: a'))).toEqual({ line: 3, column: 5 });
    expect(source.positionAt(9999)).toEqual({ line: 5, column: 7 });
  });

  it('frames a place with its neighbours, but not with empty lines', () => {
    expect(source.frameAt(source.text.indexOf('nam: a'))).toBe(
      ['  2 | tools:', '> 3 |   - nam: a', '    |     ^'].join('\n'),
    );
  });

  it('shows a window of a line that is too long', () => {
    const long = new SourceText('a.yaml', `${'x'.repeat(500_000)}!${'y'.repeat(500_000)}`);
    const [line, caret] = long.frameAt(500_000).split('\n');
    expect(line).toBe(`> 1 | ${'x'.repeat(50)}!${'y'.repeat(49)}`);
    expect(caret).toBe(`    | ${' '.repeat(50)}^`);
  });

  it('spells out what cannot be seen, and keeps the caret below its place', () => {
    const hidden = new SourceText('a.yaml', 'a\u202eb: c');
    expect(hidden.frameAt(2)).toBe('> 1 | a\\u{202e}b: c\n    |          ^');
  });
});
