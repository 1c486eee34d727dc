import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { escapeInvisibleJson, hasMixedScripts, toVisible } from '../../src/domain/visible-text.js';

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe('toVisible', () => {
  it.each([
    ['an escape sequence', 'a\x1b[2Kb', 'a\\u{1b}[2Kb'],
    ['a carriage return', 'rm\rls', 'rm\\u{d}ls'],
    ['NUL', 'a\0b', 'a\\u{0}b'],
    ['DEL', 'a\x7fb', 'a\\u{7f}b'],
    ['a C1 control', 'a\x9bb', 'a\\u{9b}b'],
    ['bidi controls', '\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
    ['zero-width characters', 'ls\u200b\u200d\ufeff', 'ls\\u{200b}\\u{200d}\\u{feff}'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['tag characters', '\u{e0041}', '\\u{e0041}'],
    ['variation selectors', 'a\ufe0f\u{e0100}', 'a\\u{fe0f}\\u{e0100}'],
    ['line separators', 'a\u2028b\u2029', 'a\\u{2028}b\\u{2029}'],
    ['half a character', 'a\ud800b', 'a\\u{d800}b'],
    ['a space that is none', 'ls\u00a0-la\u3000', 'ls\\u{a0}-la\\u{3000}'],
    ['an invisible letter', 'a\u3164', 'a\\u{3164}'],
    ['marks piled on marks', 'a\u0301\u0301\u0301\u0301', 'a\u0301\u0301\u0301\\u{301}'],
    ['a line feed', 'a\nb\tc', 'a\\u{a}b\\u{9}c'],
    ['its own escapes, so that none is forged', 'a\\u{1b}', 'a\\u{5c}u{1b}'],
  ])('spells out %s', (_name, text, visible) => {
    expect(toVisible(text)).toBe(visible);
  });

  it.each(['plain text', 'größe', '日本語', 'Привет', '😀 ok', 'C:\\users\\x', 'e\u0301'])(
    'leaves %j',
    (text) => {
      expect(toVisible(text)).toBe(text);
    },
  );

  it('keeps lines and tabs where a text may have several', () => {
    expect(toVisible('a\n\tb\r\n', { multiline: true })).toBe('a\n\tb\\u{d}\n');
  });

  it('leaves nothing invisible in any text, and never makes two texts look alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        expect(toVisible(left)).not.toMatch(INVISIBLE);
        expect(toVisible(left) === toVisible(right)).toBe(left === right);
      }),
    );
  });
});

describe('escapeInvisibleJson', () => {
  it('changes how JSON looks, not what it means', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = escapeInvisibleJson(JSON.stringify(text));
        expect(json).not.toMatch(INVISIBLE);
        expect(JSON.parse(json)).toBe(text);
      }),
    );
  });
});

describe('hasMixedScripts', () => {
  it.each(['lѕ -la', 'https://раypal.com', 'аdmin', 'x5_ѕ', 'Αlpha'])('flags %j', (text) => {
    expect(hasMixedScripts(text)).toBe(true);
  });

  it.each(['ls -la', 'report отчёт', 'größe', 'Tシャツ', '5 µs', ''])('does not flag %j', (text) => {
    expect(hasMixedScripts(text)).toBe(false);
  });

  it('is not overwhelmed by a very long word', () => {
    expect(hasMixedScripts('ж'.repeat(2_000_000))).toBe(false);
  });
});
