import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quoteWord } from '../../src/domain/shell-quote.js';
import { readShell } from '../../src/domain/shell-reader.js';

const read = (source: string) => readShell(source, { parameters: false });

/** Words as plain text; `undefined` if it was not understood. */
const wordsOf = (source: string) => {
  const reading = read(source);
  return reading.ok ? reading.commands.map(({ words }) => words.map((word) => word.join(''))) : undefined;
};

describe('readShell', () => {
  it('reads words, quotes and operators', () => {
    expect(read(`rg -n 'a b'"c d"e src && echo ""; true | cat || false\n`)).toEqual({
      ok: true,
      commands: [
        { words: [['rg'], ['-n'], ['a bc de'], ['src']], operator: '&&' },
        { words: [['echo'], ['']], operator: ';' },
        { words: [['true']], operator: '|' },
        { words: [['cat']], operator: '||' },
        { words: [['false']], operator: ';' },
      ],
    });
  });

  it('reads parameters of a constant script, in double quotes only', () => {
    expect(readShell(`rg -e "$1" -- "a$\{12}b"`, { parameters: true })).toEqual({
      ok: true,
      commands: [{ words: [['rg'], ['-e'], ['', { parameter: 1 }], ['--'], ['a', { parameter: 12 }, 'b']] }],
    });
    for (const source of ['rg $1', 'rg "$@"', 'rg "$x"', 'rg "$10"', `rg "$\{1:-x}"`, 'rg "$0"', '"$(id)"']) {
      expect(readShell(source, { parameters: true }).ok).toBe(false);
    }
    expect(read('rg "$1"').ok).toBe(false);
  });

  it('says what it does not understand, and where', () => {
    expect(read('echo a > b')).toMatchObject({
      ok: false,
      offset: 7,
      problem: expect.stringContaining('redirection'),
    });
    expect(read('echo "a')).toMatchObject({ ok: false, offset: 5, problem: 'a " that is never closed' });
    expect(read('echo a\u00a0b')).toMatchObject({
      ok: false,
      offset: 6,
      problem: 'the character U+00A0; quote it',
    });
    expect(read('echo a\u0007b')).toMatchObject({ ok: false, offset: 6, problem: 'the character U+0007' });
  });

  it.each([
    '~',
    '~root',
    'a=~',
    'x:~/y',
    "''~",
    '#',
    'a#b',
    '*',
    '[a]',
    '!',
    'a!b',
    '{}',
    'a{b,c}',
    '\\',
    '$',
    '&',
  ])('refuses the bare word %s', (word) => expect(read(`echo ${word}`).ok).toBe(false));

  it('agrees with the shell on everything it understands', () => {
    const piece = fc.constantFrom(
      ...[
        "'",
        '"',
        ' ',
        'a',
        'b',
        '-',
        '=',
        '/',
        '.',
        '~',
        '^',
        '%',
        '@',
        ',',
        ':',
        '+',
        '\\',
        'é',
        '\t',
        '$',
        '#',
        '!',
      ],
    );
    const property = (pieces: readonly string[]) => {
      const source = pieces.join('');
      const words = wordsOf(`x ${source}`);
      if (!words) return true;
      const script = `x() { printf '<%s>' "$@"; }; x ${source}`;
      const said = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
      const understood = words[0]?.slice(1) ?? [];
      return said === (understood.length === 0 ? '<>' : understood.map((word) => `<${word}>`).join(''));
    };
    fc.assert(fc.property(fc.array(piece, { maxLength: 14 }), property), { numRuns: 150 });
  });
});

describe('quoteWord', () => {
  it('gives words that the shell reads back as themselves', () => {
    const word = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0'));
    const property = (words: readonly string[]) => {
      const script = `printf '%s\\0' ${words.map(quoteWord).join(' ')}`;
      const said = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
      return said === words.map((each) => `${each}\0`).join('');
    };
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 50 }), property), { numRuns: 20 });
  });
});
