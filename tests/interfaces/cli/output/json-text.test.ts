import { describe, expect, it } from '@jest/globals';
import { compactJson, prettyJson } from '../../../../src/interfaces/cli/output/json-text.js';
import { statesText } from '../../../../src/interfaces/cli/output/states-text.js';
import { table } from '../../../../src/interfaces/cli/output/table.js';

const NASTY = { text: 'a\x1b[2J\x9b\u202e\u200bé\n', list: [1, null] };

describe.each([
  ['prettyJson', prettyJson],
  ['compactJson', compactJson],
])('%s', (_, write) => {
  it('means the same and holds nothing that a terminal acts on', () => {
    const text = write(NASTY);
    expect(JSON.parse(text)).toEqual(NASTY);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b]/);
    expect(text.endsWith('\n')).toBe(true);
  });
});

describe('statesText', () => {
  it('writes states as YAML that spells out what cannot be seen', async () => {
    const text = await statesText({ step: { output: 'done\x1b[2J', tool_calls: [], turns: 1 } });
    expect(text).toBe('states:\n  step:\n    output: done\\u{1b}[2J\n    tool_calls: []\n    turns: 1\n');
  });
});

describe('table', () => {
  it('lines columns up under their titles', () => {
    expect(
      table(
        ['A', 'LONG', 'C'],
        [
          ['one', '2', 'x\x07'],
          ['1', '', ''],
        ],
      ),
    ).toBe('A    LONG  C\none  2     x\\u{7}\n1\n');
  });
});
