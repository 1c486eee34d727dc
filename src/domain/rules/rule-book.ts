import type { ApprovalMode, ApprovalRule } from '../approval.js';
import type { CallFacts } from './call-facts.js';
import {
  allowsCommand,
  type CompiledRule,
  compileRule,
  type Fit,
  fitBesideCommand,
  fitOf,
  type SchemaCheck,
} from './compiled-rule.js';
import { RuleIndex } from './rule-index.js';

/** Which rules of a policy speak for a call: of each mode the first that does. */
export interface RuleMatches {
  readonly deny?: ApprovalRule;
  readonly prompt?: ApprovalRule;
  readonly auto?: ApprovalRule;
  /** One that holds back, and of which it cannot be told whether it speaks. */
  readonly unsure?: ApprovalRule;
}

/** The rules of one policy, read once: a thousand of them cost hardly more than ten. */
export class RuleBook {
  readonly #index = new RuleIndex();

  /** Throws an Error for a pattern that cannot be one. */
  constructor(rules: readonly ApprovalRule[]) {
    for (const [place, rule] of rules.entries()) this.#index.add(compileRule(rule, place));
  }

  match(facts: CallFacts, fits: SchemaCheck): RuleMatches {
    const found = new Map<ApprovalMode | 'unsure', CompiledRule>();
    for (const compiled of this.#index.candidates(facts)) {
      if (compiled.use === 'loose') note(found, compiled, fitOf(compiled, facts, fits));
    }
    const auto = this.#allowing(facts, fits);
    const matches = Object.fromEntries([...found].map(([key, { rule }]) => [key, rule]));
    return { ...matches, ...(auto ? { auto } : {}) };
  }

  /** A rule that lets the call run. Of commands that rules name, every one needs a rule, and none may be hidden. */
  #allowing(facts: CallFacts, fits: SchemaCheck): ApprovalRule | undefined {
    const allows = (one: CompiledRule) =>
      one.use === 'exact' && fitBesideCommand(one, facts, fits) === 'yes' && one.when.command === undefined;
    const { commands, unread } = facts;
    const wholly = first(commands ? this.#index.others : this.#index.candidates(facts), allows);
    if (wholly || !commands || unread !== undefined) return wholly;
    const allowing = commands.map((command) =>
      first(
        this.#index.ofProgram(command),
        (one) =>
          one.use === 'exact' && allowsCommand(one, command) && fitBesideCommand(one, facts, fits) === 'yes',
      ),
    );
    return allowing.includes(undefined) ? undefined : allowing[0];
  }
}

function note(found: Map<ApprovalMode | 'unsure', CompiledRule>, compiled: CompiledRule, fit: Fit): void {
  if (fit === 'no') return;
  const key = fit === 'unsure' ? 'unsure' : compiled.rule.mode;
  const before = found.get(key);
  if (!before || compiled.place < before.place) found.set(key, compiled);
}

function first(
  rules: Iterable<CompiledRule>,
  speaks: (compiled: CompiledRule) => boolean,
): ApprovalRule | undefined {
  let found: CompiledRule | undefined;
  for (const compiled of rules) {
    if ((!found || compiled.place < found.place) && speaks(compiled)) found = compiled;
  }
  return found?.rule;
}
