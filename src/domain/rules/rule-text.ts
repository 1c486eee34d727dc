import type { RuleCondition } from '../approval.js';

const PLAIN_WORD = /^[\w@%+:,./=^-]+$/;

/** A rule in words, all of it: what a person reads before it is saved is what holds afterwards. */
export function describeRule(rule: RuleCondition): string {
  const { command, paths, hosts, methods, arguments: schema } = rule;
  const said = [
    command && `the command begins with ${commandText(command)}`,
    paths && `the path fits ${either(paths)}`,
    methods && `the method is ${either(methods)}`,
    hosts && `the host is ${either(hosts)}`,
    schema && `the arguments fit ${JSON.stringify(schema.properties ?? schema)}`,
  ].filter((part) => part !== undefined);
  return said.join(' and ') || 'never';
}

/** Words as one line, quoted where a word would be taken for several. */
function commandText(words: readonly string[]): string {
  return words.map((word) => (PLAIN_WORD.test(word) ? word : JSON.stringify(word))).join(' ');
}

function either(texts: readonly string[]): string {
  return texts.join(' or ');
}
