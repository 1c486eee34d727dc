import type { RuleCondition } from '../approval.js';
import { quoteWord } from '../shell-quote.js';

/** A rule in words, all of it: what a person reads before it is saved is what holds afterwards. */
export function describeRule(rule: RuleCondition): string {
  const { command, paths, hosts, methods, arguments: schema } = rule;
  const said = [
    command && `the command begins with ${command.map(quoteWord).join(' ')}`,
    paths && `the path fits ${either(paths)}`,
    methods && `the method is ${either(methods)}`,
    hosts && `the host is ${either(hosts)}`,
    schema && `the arguments fit ${JSON.stringify(schema.properties ?? schema)}`,
  ].filter((part) => part !== undefined);
  return said.join(' and ') || 'never';
}

function either(texts: readonly string[]): string {
  return texts.join(' or ');
}
