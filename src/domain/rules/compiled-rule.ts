import type { ApprovalRule, RuleCondition } from '../approval.js';
import type { Json, JsonSchema } from '../json.js';
import type { PlannedCommand } from '../plan.js';
import type { CallFacts, PathNames } from './call-facts.js';
import { beginsWith, couldMean } from './command-rule.js';
import { fitsGlob, type Glob, type GlobUse, readGlobs } from './glob.js';
import { coversHost, namesHost } from './host-patterns.js';

/** Whether a value fits a JSON Schema. */
export type SchemaCheck = (schema: JsonSchema, value: Json) => boolean;

/** Whether a rule speaks for a call; `unsure` where the plan does not tell, which only holds back. */
export type Fit = 'yes' | 'no' | 'unsure';

/** A rule with its patterns read. */
export interface CompiledRule {
  readonly rule: ApprovalRule;
  /** Its place in the policy: of two that say the same, the first gives the reason. */
  readonly place: number;
  readonly when: RuleCondition;
  readonly globs?: readonly Glob[];
  readonly methods?: ReadonlySet<string>;
  /** One that allows must fit exactly; one that holds back rather speaks too often. */
  readonly use: GlobUse;
}

/** Reads a rule's patterns. Throws an Error that says what is wrong with one. */
export function compileRule(rule: ApprovalRule, place: number): CompiledRule {
  const { when, mode } = rule;
  return {
    rule,
    place,
    when,
    use: mode === 'auto' ? 'exact' : 'loose',
    ...(when.paths ? { globs: when.paths.flatMap(globsOf) } : {}),
    ...(when.methods ? { methods: new Set(when.methods.map((method) => method.toUpperCase())) } : {}),
  };
}

function globsOf(pattern: string): readonly Glob[] {
  try {
    return readGlobs(pattern);
  } catch (error) {
    throw new Error(`the path pattern "${pattern}" ${(error as Error).message}`);
  }
}

/** Whether a rule that holds back speaks for a call: for any of its commands, under any of its names. */
export function fitOf(compiled: CompiledRule, facts: CallFacts, fits: SchemaCheck): Fit {
  const others = fitBesideCommand(compiled, facts, fits);
  return others === 'no' ? 'no' : both(others, commandFit(compiled, facts));
}

/** The same without its command: the commands of one call may be let through by several rules. */
export function fitBesideCommand(compiled: CompiledRule, facts: CallFacts, fits: SchemaCheck): Fit {
  const { when } = compiled;
  if (Object.keys(when).length === 0) return 'no';
  return [pathFit(compiled, facts), requestFit(compiled, facts), schemaFit(compiled, facts, fits)].reduce(
    both,
  );
}

/** Whether a rule that allows speaks for one command. */
export function allowsCommand({ when }: CompiledRule, command: PlannedCommand): boolean {
  return when.command !== undefined && beginsWith(when.command, command);
}

function commandFit(
  { when: { command: words } }: CompiledRule,
  { commands, unread, untold }: CallFacts,
): Fit {
  if (words === undefined) return 'yes';
  if (!commands) return untold === undefined ? 'no' : 'unsure';
  if (commands.some((command) => couldMean(words, command))) return 'yes';
  return unread === undefined ? 'no' : 'unsure';
}

function pathFit({ globs, use }: CompiledRule, { paths, untold }: CallFacts): Fit {
  if (!globs) return 'yes';
  if (!paths) return untold === undefined ? 'no' : 'unsure';
  const fitsAny = (names: PathNames) => globs.some((glob) => fitsPath(glob, names, use));
  return (use === 'exact' ? paths.every(fitsAny) : paths.some(fitsAny)) ? 'yes' : 'no';
}

function fitsPath(glob: Glob, { absolute, relative }: PathNames, use: GlobUse): boolean {
  const names = glob.isAbsolute ? absolute : relative;
  return names !== undefined && fitsGlob(glob, names, use);
}

function requestFit({ when, methods, use }: CompiledRule, { request, untold }: CallFacts): Fit {
  if (!when.hosts && !methods) return 'yes';
  if (!request) return untold === undefined ? 'no' : 'unsure';
  if (methods && !methods.has(request.method)) return 'no';
  // A port that nobody thought of is no way around a rule that holds back.
  const fitsHost = (entry: string) =>
    coversHost(entry, request.target) ||
    (use === 'loose' && !hasPort(entry) && namesHost(entry, request.target));
  return !when.hosts || when.hosts.some(fitsHost) ? 'yes' : 'no';
}

function hasPort(entry: string): boolean {
  return /^(?:\[[^\]]*\]|[^:]*):\d+$/.test(entry);
}

function schemaFit({ when, use }: CompiledRule, { argumentForms }: CallFacts, fits: SchemaCheck): Fit {
  const { arguments: schema } = when;
  if (!schema) return 'yes';
  const fitsForm = (form: Json) => fits(schema, form);
  return (use === 'exact' ? argumentForms.every(fitsForm) : argumentForms.some(fitsForm)) ? 'yes' : 'no';
}

function both(left: Fit, right: Fit): Fit {
  if (left === 'no' || right === 'no') return 'no';
  return left === 'unsure' || right === 'unsure' ? 'unsure' : 'yes';
}
