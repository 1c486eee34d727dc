import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decideApproval } from '../../src/application/decide-approval.js';
import {
  type ApprovalMode,
  type ApprovalPolicy,
  type ApprovalRule,
  stricter,
} from '../../src/domain/approval.js';
import type { CallFacts } from '../../src/domain/rules/call-facts.js';
import { createTool } from '../../src/domain/tool.js';
import { commandLine, commandRule, file, fitsConst, request, ruleOf } from '../domain/rules/rule-fixture.js';

const tool = createTool({ name: 'tool', destructive: true });
const decide = (policy: ApprovalPolicy, facts: CallFacts) =>
  decideApproval(tool, policy, { facts, fits: fitsConst });

const modes = fc.constantFrom<ApprovalMode>('auto', 'prompt', 'deny');
const rules = fc.array(
  fc.oneof(
    fc
      .tuple(modes, fc.constantFrom('git', 'git push', 'git status', 'ls', 'rm -rf'))
      .map(([mode, words]) => commandRule(mode, words)),
    fc
      .tuple(modes, fc.constantFrom('**', 'a/**', 'a/*', '*.md', '/workspace/a', '/etc/**'))
      .map(([mode, glob]) => ruleOf(mode, { paths: [glob] })),
    fc
      .tuple(modes, fc.constantFrom('x.org', '*.x.org', '*'))
      .map(([mode, host]) => ruleOf(mode, { hosts: [host] })),
    fc
      .tuple(modes, fc.constantFrom('GET', 'POST'))
      .map(([mode, method]) => ruleOf(mode, { methods: [method] })),
  ),
  { maxLength: 8 },
);
const facts = fc.constantFrom(
  ...['git status', 'git -C x push', 'ls && git push', 'sh -c ls', 'rm -fr a', 'X=1 ls', 'ls; ls'].map(
    commandLine,
  ),
  ...['a/b', 'a/b/c', 'x.md', '/etc/passwd', '.env'].map(file),
  ...['GET https://x.org/', 'POST https://a.x.org/', 'https://y.org:8443/'].map(request),
);

const STRICT: readonly ApprovalMode[] = ['auto', 'prompt', 'deny'];
const strictness = (mode: ApprovalMode) => STRICT.indexOf(mode);

describe('decideApproval', () => {
  it('takes the strictest rule that matches, and otherwise the default', () => {
    const policy = (...list: readonly ApprovalRule[]) => ({ default: 'prompt', rules: list }) as const;
    const [auto, deny] = [commandRule('auto', 'git'), commandRule('deny', 'git push')];
    expect(decide(policy(auto, deny), commandLine('git push')).mode).toBe('deny');
    expect(decide(policy(deny, auto), commandLine('git status'))).toMatchObject({
      mode: 'auto',
      source: 'rule',
    });
    expect(decide(policy(deny, auto), commandLine('ls'))).toMatchObject({ mode: 'prompt', source: 'none' });
  });

  it('does not depend on the order of rules', () => {
    fc.assert(
      fc.property(modes, rules, facts, fc.nat(), (mode, list, call, turn) => {
        const turned = list.map((_, index) => list[(index + turn) % list.length] as ApprovalRule).reverse();
        const [one, other] = [list, turned].map((each) => decide({ default: mode, rules: each }, call).mode);
        expect(one).toBe(other);
      }),
    );
  });

  it('never becomes laxer by a rule that holds back, and never stricter by one that allows', () => {
    fc.assert(
      fc.property(modes, rules, rules, facts, (mode, list, more, call) => {
        const before = decide({ default: mode, rules: list }, call);
        const held = more.map((rule) => ({ ...rule, mode: 'deny' as const }));
        const allowed = more.map((rule) => ({ ...rule, mode: 'auto' as const }));
        const modeWith = (added: readonly ApprovalRule[]) =>
          strictness(decide({ default: mode, rules: [...list, ...added] }, call).mode);
        expect(modeWith(held)).toBeGreaterThanOrEqual(strictness(before.mode));
        expect(modeWith(allowed)).toBeLessThanOrEqual(strictness(before.mode));
      }),
    );
  });

  it('is the strictest of what each rule says alone, where calls are one command and everything is told', () => {
    const plain = fc.constantFrom(
      commandLine('git status'),
      commandLine('git push -f'),
      file('a/b'),
      file('x.md'),
    );
    fc.assert(
      fc.property(modes, rules, plain, (mode, list, call) => {
        const only = list.filter(({ when }) => (call.commands ? when.command : when.paths));
        const spoken = only.flatMap((rule) => {
          const opposite = rule.mode === 'deny' ? 'auto' : 'deny';
          return decide({ default: opposite, rules: [rule] }, call).mode === rule.mode ? [rule.mode] : [];
        });
        const expected = spoken.length === 0 ? mode : spoken.reduce(stricter);
        expect(decide({ default: mode, rules: only }, call).mode).toBe(expected);
      }),
    );
  });

  it('asks where it cannot be told whether a deny is meant, and says why', () => {
    const policy = { default: 'auto', rules: [commandRule('deny', 'git push')] } as const;
    expect(decide(policy, commandLine('sh -c "git push"'))).toMatchObject({
      mode: 'prompt',
      reason:
        'it cannot be told whether the command begins with git push, which a rule would deny: "sh" runs code from its arguments or its input',
    });
    expect(decide({ ...policy, default: 'deny' }, commandLine('sh -c ls')).mode).toBe('deny');
  });

  it('gives the reason of the first rule that decides', () => {
    const deny = { ...commandRule('deny', 'git push'), reason: 'we release by hand' };
    expect(decide({ default: 'auto', rules: [deny] }, commandLine('git push')).reason).toBe(
      'we release by hand',
    );
    expect(decide({ default: 'auto', rules: [commandRule('deny', 'rm')] }, commandLine('rm x')).reason).toBe(
      'a rule of "tool" says deny when the command begins with rm',
    );
  });

  describe('and what a tool says of itself', () => {
    const harmless = createTool({ name: 'tool', sideEffects: 'none' });
    const of = (said: typeof tool, policy: ApprovalPolicy) =>
      decideApproval(said, policy, { facts: file('x'), fits: fitsConst }).mode;

    it('holds back a tool that destroys where auto was given to many at once', () => {
      expect(of(tool, { default: 'auto', rules: [], shared: true })).toBe('prompt');
      expect(of(harmless, { default: 'auto', rules: [], shared: true })).toBe('auto');
    });

    it('leaves alone what a person wrote for this tool', () => {
      expect(of(tool, { default: 'auto', rules: [] })).toBe('auto');
      expect(of(tool, { default: 'deny', shared: true, rules: [ruleOf('auto', { paths: ['x'] })] })).toBe(
        'auto',
      );
    });

    it('never lets a call run', () => {
      for (const mode of ['prompt', 'deny'] as const) {
        expect(of(harmless, { default: mode, rules: [], shared: true })).toBe(mode);
      }
    });
  });
});
