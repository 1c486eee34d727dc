import { describe, expect, it } from '@jest/globals';
import { ExpressionError } from '../../../src/domain/expression/expression-error.js';
import { parseExpression } from '../../../src/domain/expression/parse-expression.js';

const SCOPE = {
  response: 'All tests pass. DONE',
  turn_count: 3,
  tokens_used: 900,
  total_tokens: 900,
  max_context_tokens: 1_000,
};

describe('parseExpression', () => {
  it.each([
    ["response contains 'DONE'", true],
    ['response contains "done"', false],
    ["response matches 'APPROVED|DONE$'", true],
    ["response matches '^\\d+'", false],
    ["response matches '(?i)\\bdone\\b'", true],
    ["response startsWith 'All' and response ends_with 'DONE'", true],
    ["response not contains 'FAIL'", true],
    ["not (response contains 'DONE')", false],
    ["!(turn_count == 3) || response contains 'pass'", true],
    ['turn_count >= 5', false],
    ['turn_count != 3', false],
    ['tokens_used > max_context_tokens * 0.8 + 50', true],
    ['total_tokens - 900 == 0 and -1 < 0', true],
    ["inputs.response contains 'DONE' && inputs.turn_count < 4", true],
    ["response == 'x' or turn_count == 1 or turn_count == 3", true],
    ["(turn_count >= 5 && response contains 'DONE') || total_tokens >= 10000", false],
    ["response contains 'it\\'s' or true", true],
    ['response contains `DONE`', true],
    ["turn_count > 1 and response contains 'x' or true", true],
  ])('%s is %s', (source, expected) => {
    expect(parseExpression(source)(SCOPE)).toBe(expected);
  });

  it.each([
    ['', 0, 'the condition ends where a value should be'],
    ['response', 0, 'a condition is true or false, and this is a text'],
    ['respnse contains "x"', 0, 'nothing is known as "respnse" (there is: response'],
    ['response contains 3', 18, '"contains" needs a text on both sides, and this is a number'],
    ["turn_count > 'x'", 13, '">" needs a number on both sides'],
    ["response == 'x' and turn_count", 20, '"&&" needs a boolean on both sides'],
    ["response contains 'x", 18, 'this quote is never closed'],
    ['(turn_count > 1', 0, 'this "(" is never closed'],
    ['turn_count > 1)', 14, '")" is one word too many'],
    ['turn_count = 1', 11, 'write == to compare'],
    ['response matches turn_count', 17, '"matches" needs a pattern in quotes'],
    ["response matches '(a'", 18, 'in the pattern: this "(" is never closed'],
    ["response matches 'a(?=b)'", 20, 'look-around'],
    ['not response', 4, '"not" needs a condition'],
    ['__proto__ == 1', 0, 'nothing is known as'],
    ['constructor.constructor == 1', 0, 'nothing is known as'],
    ['turn_count > 1; exit', 14, '";" means nothing here'],
    [`${'('.repeat(500)}true`, 65, 'nested deeper'],
    [`${'!'.repeat(500)}true`, 65, 'nested deeper'],
    [`true${' or true'.repeat(1000)}`, 4096, 'at most 4096 characters'],
  ])('refuses %j at %i', (source, offset, message) => {
    const error = failureOf(source);
    expect(error).toBeInstanceOf(ExpressionError);
    expect(error).toMatchObject({ code: 'WORKFLOW.EXPRESSION.INVALID', offset });
    expect(error?.message).toContain(message);
  });
});

function failureOf(source: string): Error | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
