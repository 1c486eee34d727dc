import type { ApprovalRule } from '../approval.js';
import type { CallFacts } from './call-facts.js';
import {
  allowsCommand,
  type CompiledRule,
  compileRule,
  fitBesideCommand,
  fitOf,
  type SchemaCheck,
} from './compiled-rule.js';
import type { Fit } from './fit.js';
import { RuleIndex } from './rule-index.js';

/** A rule that speaks, at its place in the policy. */
interface Match {
  readonly rule: ApprovalRule;
  readonly place: number;
}

/** Which rules of a policy speak for a call: of each mode the first that does. */
export interface RuleMatches {
  readonly deny?: Match;
  readonly prompt?: Match;
  readonly auto?: Match;
  /** One that holds back, and of which it cannot be told whether it speaks. */
  readonly unsure?: Match;
}

/** The rules of one policy, read once: a thousand of them cost hardly more than ten. */
export class RuleBook {
  readonly #index = new RuleIndex();

  /** Throws an Error for a pattern that cannot be one. */
  constructor(rules: readonly ApprovalRule[]) {
    for (const [place, rule] of rules.entries()) this.#index.add(compileRule(rule, place));
  }

  match(facts: CallFacts, fits: SchemaCheck): RuleMatches {
    const found: Found = {};
    const speaks = (compiled: CompiledRule) => fitOf(compiled, facts, fits);
    const others = this.#index.others(facts);
    for (const rules of [others, ...this.#index.candidates(facts)]) {
      for (const compiled of rules) if (compiled.use === 'loose') note(found, compiled, speaks(compiled));
    }
    for (const rules of this.#index.untold(facts)) {
      // They are in order, so that the first is enough.
      note(
        found,
        rules.find((compiled) => speaks(compiled) === 'unsure'),
        'unsure',
      );
    }
    const auto = this.#allowing(facts, fits, others);
    return { ...found, ...(auto ? { auto } : {}) };
  }

  /** A rule that lets the call run. Of commands that rules name, every one needs a rule, and none may be hidden. */
  #allowing(facts: CallFacts, fits: SchemaCheck, others: readonly CompiledRule[]): Match | undefined {
    const allows = (one: CompiledRule) =>
      one.use === 'exact' && fitBesideCommand(one, facts, fits) === 'yes' && one.when.command === undefined;
    const { commands, unread } = facts;
    const wholly = first(commands ? [others] : [others, ...this.#index.candidates(facts)], allows);
    if (wholly || !commands || unread !== undefined) return wholly;
    const allowing = commands.map((command) =>
      first(
        this.#index.ofCommand(command),
        (one) =>
          one.use === 'exact' && allowsCommand(one, command) && fitBesideCommand(one, facts, fits) === 'yes',
      ),
    );
    return allowing.includes(undefined) ? undefined : allowing[0];
  }
}

type Found = { -readonly [key in keyof RuleMatches]: RuleMatches[key] };

function note(found: Found, compiled: CompiledRule | undefined, fit: Fit): void {
  if (!compiled || fit === 'no') return;
  const key = fit === 'unsure' ? 'unsure' : compiled.rule.mode;
  const before = found[key];
  if (!before || compiled.place < before.place) found[key] = compiled;
}

function first(
  lists: Iterable<readonly CompiledRule[]>,
  speaks: (compiled: CompiledRule) => boolean,
): Match | undefined {
  let found: CompiledRule | undefined;
  for (const rules of lists) {
    for (const compiled of rules) {
      if ((!found || compiled.place < found.place) && speaks(compiled)) found = compiled;
    }
  }
  return found;
}
