import { describe, expect, it } from '@jest/globals';
import { answerFromFlags } from '../../../../src/interfaces/cli/approvals/answer-flags.js';

const PLAN = { plan: '0123456789abcdef' };

describe('answerFromFlags', () => {
  it.each([
    [{ yes: true, ...PLAN }, { answer: 'once' }],
    [{ yes: true, ...PLAN, scope: 'always' }, { answer: 'always' }],
    [
      { edit: '{"n":1}', ...PLAN },
      { answer: 'edit', arguments: { n: 1 } },
    ],
    [{ deny: true }, { answer: 'deny' }],
    [
      { abort: true, reason: 'enough' },
      { answer: 'abort', reason: 'enough' },
    ],
    [{}, undefined],
  ] as const)('reads %j', (flags, answer) => {
    expect(answerFromFlags(flags)).toEqual(answer);
  });

  it.each([
    [{ yes: true }, '--yes needs --plan'],
    [{ edit: '{}' }, '--edit needs --plan'],
    [{ yes: true, deny: true, ...PLAN }, 'give one answer: --yes or --deny'],
    [{ deny: true, ...PLAN }, '--plan belongs to'],
    [{ ...PLAN }, '--plan belongs to'],
    [{ deny: true, scope: 'run' }, '--scope belongs to'],
    [{ yes: true, ...PLAN, reason: 'x' }, '--reason belongs to'],
    [{ edit: '{"n":', ...PLAN }, '--edit is not JSON'],
    [{ edit: '[1]', ...PLAN }, 'as a JSON object'],
  ] as const)('refuses %j', (flags, problem) => {
    expect(() => answerFromFlags(flags)).toThrow(problem);
  });
});
