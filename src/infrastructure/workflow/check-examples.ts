import type { ApprovalRule, RuleExample } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import { exampleFacts } from '../../domain/rules/example-facts.js';
import { RuleBook } from '../../domain/rules/rule-book.js';
import type { RuleSubject } from '../../domain/rules/rule-subject.js';
import { fitsJsonSchema } from './check-json-schema.js';
import type { YamlValue } from './yaml-value.js';

/** Reports every example of a rule that does not come out as it says: the file then says something else than is meant. */
export function checkExamples(value: YamlValue, rule: ApprovalRule, subject: RuleSubject | undefined): void {
  const examples = [
    ...value
      .get('match')
      .items()
      .map((example) => ({ example, expected: true })),
    ...value
      .get('not_match')
      .items()
      .map((example) => ({ example, expected: false })),
  ];
  if (examples.length === 0) return;
  const book = bookOf(rule);
  for (const { example, expected } of examples) {
    const problem = isFilledLater(rule)
      ? 'cannot be checked: the rule has {{…}} in it, which is filled in later; leave the examples out'
      : book && problemOf(example.raw as RuleExample, { book, rule, subject, expected });
    if (problem === undefined) continue;
    const shown = JSON.stringify(example.raw).slice(0, 120);
    example.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message: `${example.path}: ${shown} ${problem}` });
  }
}

function isFilledLater({ when: { paths = [], hosts = [] } }: ApprovalRule): boolean {
  return [...paths, ...hosts].some((text) => text.includes('{{'));
}

/** Nothing for a rule that cannot be read, which has been said already. */
function bookOf(rule: ApprovalRule): RuleBook | undefined {
  try {
    return new RuleBook([rule]);
  } catch {
    return undefined;
  }
}

interface ExampleScope {
  readonly book: RuleBook;
  readonly rule: ApprovalRule;
  readonly subject: RuleSubject | undefined;
  readonly expected: boolean;
}

function problemOf(
  example: RuleExample,
  { book, rule, subject, expected }: ExampleScope,
): string | undefined {
  try {
    const facts = exampleFacts(example, subject);
    const matches = book.match(facts, fitsJsonSchema);
    const isMatch = matches[rule.mode] !== undefined;
    if (isMatch === expected) return undefined;
    if (isMatch) return 'must not match, but the rule speaks for it';
    const unread = facts.unread === undefined ? '' : ` (${facts.unread})`;
    return `must match, but the rule does not speak for it${unread}`;
  } catch (error) {
    return messageOf(error);
  }
}
