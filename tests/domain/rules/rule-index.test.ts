import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalRule, RuleCondition } from '../../../src/domain/approval.js';
import { compileRule, fitOf } from '../../../src/domain/rules/compiled-rule.js';
import { RuleBook } from '../../../src/domain/rules/rule-book.js';
import { commandLine, file, fitsConst, request } from './rule-fixture.js';

const conditions = fc.record<RuleCondition>(
  {
    command: fc.constantFrom(
      ['git'],
      ['git', 'push'],
      ['GIT', '-C', 'x'],
      ['/usr/bin/git', 'push'],
      ['rm', '-rf'],
      ['ls', 'a'],
    ),
    paths: fc.subarray(
      [
        ...['**', 'a/**', 'A/b', '/workspace/a', '/workspace/**/c', '/etc/**', '*.md', '{a,x}/*'],
        ...['**/*-7.ts', '**/deep/**', 'a/**/*-7.TS', 'Sec*t', '**/se?*', '[a-z]*.md', '**/*[!x]'],
      ],
      { minLength: 1 },
    ),
    hosts: fc.subarray(['x.org', '*.x.org', '*', 'y.org:8443'], { minLength: 1 }),
    methods: fc.subarray(['GET', 'post'], { minLength: 1 }),
    arguments: fc.constantFrom(
      ...['a', 'a/b', 'deep'].map((path) => ({
        type: 'object',
        properties: { path: { const: path } },
        required: ['path'],
      })),
    ),
  },
  { requiredKeys: [] },
);
const calls = fc.constantFrom(
  ...[
    'git',
    'git push',
    'git -C x push',
    'rm -f -r a',
    'ls a; git log',
    'sh -c ls',
    './git push',
    'X=1 ls',
  ].map(commandLine),
  ...['a', 'a/b', 'x/c', 'A/B', '/etc/x', '/workspace', 'z/z/c', 'n.md'].map(file),
  ...['a/deep/x-7.ts', 'X-7.TS', 'a/secret', 'SECT', 'sect/x', 'deep', '-7.ts', 'N.md'].map(file),
  ...['https://x.org', 'POST https://a.x.org', 'PUT https://y.org:8443', 'https://1.2.3.4'].map(request),
);

describe('RuleIndex', () => {
  it('hides no rule that speaks: a book says what each of its rules says alone, unindexed', () => {
    fc.assert(
      fc.property(fc.array(conditions, { maxLength: 6 }), calls, (list, facts) => {
        const rules = list.map((when): ApprovalRule => ({ mode: 'deny', when }));
        const fits = rules.map((rule, place) => fitOf(compileRule(rule, place), facts, fitsConst));
        const { deny, unsure } = new RuleBook(rules).match(facts, fitsConst);
        expect([deny?.place ?? -1, unsure?.place ?? -1]).toEqual([
          fits.indexOf('yes'),
          fits.indexOf('unsure'),
        ]);
      }),
      { numRuns: 2_000 },
    );
  });
});
