import type { ApprovalMode, ApprovalRule, RuleCondition } from '../../../src/domain/approval.js';
import { isJsonObject, type Json, type JsonSchema } from '../../../src/domain/json.js';
import type { CallFacts } from '../../../src/domain/rules/call-facts.js';
import { exampleFacts } from '../../../src/domain/rules/example-facts.js';
import { RuleBook } from '../../../src/domain/rules/rule-book.js';

export const ruleOf = (mode: ApprovalMode, when: RuleCondition): ApprovalRule => ({ mode, when });

/** A rule about the first words of a command, written as one text. */
export const commandRule = (mode: ApprovalMode, words: string): ApprovalRule =>
  ruleOf(mode, { command: words.split(' ') });

/** As much of JSON Schema as these tests need: `const` of properties. */
export function fitsConst({ properties }: JsonSchema, value: Json): boolean {
  if (!isJsonObject(properties) || !isJsonObject(value)) return false;
  return Object.entries(properties).every(
    ([key, schema]) => isJsonObject(schema) && schema.const === value[key],
  );
}

/** Which kinds of rules speak for a call: `['deny']`, `['unsure', 'auto']`. */
export function spoken(rules: readonly ApprovalRule[], facts: CallFacts): readonly string[] {
  return Object.keys(new RuleBook(rules).match(facts, fitsConst)).sort();
}

export const commandLine = (line: string) => exampleFacts(line, 'command');
export const file = (path: string) => exampleFacts(path, 'path');
export const request = (text: string) => exampleFacts(text, 'request');
