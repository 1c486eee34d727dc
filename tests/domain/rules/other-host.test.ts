import { describe, expect, it } from '@jest/globals';
import type { ApprovalMode, ApprovalRule } from '../../../src/domain/approval.js';
import { otherHostProblem } from '../../../src/domain/rules/other-host.js';
import { ruleOf } from './rule-fixture.js';

const auto = (host: string) => ruleOf('auto', { hosts: [host] });
const deny = (host: string) => ruleOf('deny', { hosts: [host] });

describe('otherHostProblem', () => {
  it.each<[string, ApprovalMode, readonly ApprovalRule[], string, boolean]>([
    ['to one that is asked about', 'prompt', [auto('a.org')], 'https://b.org/', true],
    ['to one that is denied', 'auto', [deny('b.org')], 'https://b.org/', true],
    ['to another port', 'prompt', [auto('a.org')], 'https://a.org:8443/', true],
    ['to one whose rule is about arguments too', 'prompt', [auto('a.org'), argued()], 'https://b.org/', true],
    ['to one that may be used just so', 'prompt', [auto('a.org'), auto('b.org')], 'https://b.org/', false],
    ['to one that is asked about likewise', 'prompt', [deny('c.org')], 'https://b.org/', false],
    ['within the host', 'prompt', [auto('a.org')], 'https://a.org/elsewhere', false],
    ['where no rule is about hosts', 'prompt', [], 'https://b.org/', false],
  ])('leads %s', (_, mode, rules, to, isRefused) => {
    const policy = { default: mode, rules };
    const problem = otherHostProblem(policy, { method: 'GET', from: 'https://a.org/x', to });
    expect(problem !== undefined).toBe(isRefused);
  });

  function argued(): ApprovalRule {
    return ruleOf('auto', { hosts: ['b.org'], arguments: { properties: { url: { const: 'x' } } } });
  }
});
