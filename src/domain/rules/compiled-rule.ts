import type { ApprovalRule, RuleCondition } from '../approval.js';
import type { Json, JsonObject, JsonSchema } from '../json.js';
import type { PlannedCommand } from '../plan.js';
import type { CallFacts, PathNames } from './call-facts.js';
import { beginsWith, type CommandWords, couldMean, readCommandWords } from './command-rule.js';
import { both, either, type Fit } from './fit.js';
import { fitsGlob, type Glob, type GlobUse, readGlobs } from './glob.js';
import { couldMeanEntry, coversEntry, type HostEntry, readHostEntry } from './host-patterns.js';
import { boundsOf, failsFor } from './quick-reject.js';

/** Whether a value fits a JSON Schema. */
export type SchemaCheck = (schema: JsonSchema, value: Json) => boolean;

/** A rule with its patterns read. */
export interface CompiledRule {
  readonly rule: ApprovalRule;
  /** Its place in the policy: of two that say the same, the first gives the reason. */
  readonly place: number;
  readonly when: RuleCondition;
  readonly words?: CommandWords;
  readonly globs?: readonly Glob[];
  readonly hosts?: readonly HostEntry[];
  readonly bounds?: ReturnType<typeof boundsOf>;
  readonly methods?: ReadonlySet<string>;
  /** It has no condition, and never speaks. */
  readonly isEmpty: boolean;
  /** One that allows must fit exactly; one that holds back rather speaks too often. */
  readonly use: GlobUse;
}

/** Reads a rule's patterns. Throws an Error that says what is wrong with one. */
export function compileRule(rule: ApprovalRule, place: number): CompiledRule {
  const { when, mode } = rule;
  const use = mode === 'auto' ? 'exact' : 'loose';
  return {
    rule,
    place,
    when,
    use,
    isEmpty: Object.keys(when).length === 0,
    ...(when.command ? { words: readCommandWords(when.command) } : {}),
    ...(when.paths ? { globs: when.paths.flatMap((pattern) => globsOf(pattern, use)) } : {}),
    ...(when.arguments ? { bounds: boundsOf(when.arguments) } : {}),
    ...(when.hosts ? { hosts: when.hosts.map(readHostEntry) } : {}),
    ...(when.methods ? { methods: new Set(when.methods.map((method) => method.toUpperCase())) } : {}),
  };
}

function globsOf(pattern: string, use: GlobUse): readonly Glob[] {
  try {
    return readGlobs(pattern, use);
  } catch (error) {
    throw new Error(`the path pattern "${pattern}" ${(error as Error).message}`);
  }
}

/** Whether a rule that holds back speaks for a call: for any of its commands, under any of its names. */
export function fitOf(compiled: CompiledRule, facts: CallFacts, fits: SchemaCheck): Fit {
  const fit = commandFit(compiled, facts);
  return fit === 'no' ? 'no' : both(fit, fitBesideCommand(compiled, facts, fits));
}

/** The same without its command: the commands of one call may be let through by several rules. */
export function fitBesideCommand(compiled: CompiledRule, facts: CallFacts, fits: SchemaCheck): Fit {
  if (compiled.isEmpty) return 'no';
  const fit = both(pathFit(compiled, facts), requestFit(compiled, facts));
  return fit === 'no' ? 'no' : both(fit, schemaFit(compiled, facts, fits));
}

/** Whether a rule that allows speaks for one command. */
export function allowsCommand({ words }: CompiledRule, command: PlannedCommand): boolean {
  return words !== undefined && beginsWith(words, command);
}

function commandFit({ words }: CompiledRule, { commands, unread, untold }: CallFacts): Fit {
  if (words === undefined) return 'yes';
  if (!commands) return untold === undefined ? 'no' : 'unsure';
  const fit = commands.map((command) => couldMean(words, command)).reduce(either, 'no');
  return unread === undefined ? fit : either(fit, 'unsure');
}

function pathFit({ globs, use }: CompiledRule, { paths, untold }: CallFacts): Fit {
  if (!globs) return 'yes';
  if (!paths) return untold === undefined ? 'no' : 'unsure';
  const fitsAny = (names: PathNames) => globs.some((glob) => fitsPath(glob, names, use));
  return (use === 'exact' ? paths.every(fitsAny) : paths.some(fitsAny)) ? 'yes' : 'no';
}

function fitsPath(glob: Glob, path: PathNames, use: GlobUse): boolean {
  const { absolute, relative } = use === 'loose' ? path.folded : path;
  const names = glob.isAbsolute ? absolute : relative;
  return names !== undefined && fitsGlob(glob, names, use);
}

function requestFit({ hosts, methods, use }: CompiledRule, { request, untold }: CallFacts): Fit {
  if (!hosts && !methods) return 'yes';
  if (!request) return untold === undefined ? 'no' : 'unsure';
  if (methods && !methods.has(request.method)) return 'no';
  const fitsHost = use === 'loose' ? couldMeanEntry : coversEntry;
  return !hosts || hosts.some((entry) => fitsHost(entry, request.target)) ? 'yes' : 'no';
}

function schemaFit(
  { when, use, bounds = [] }: CompiledRule,
  { argumentForms }: CallFacts,
  fits: SchemaCheck,
): Fit {
  const { arguments: schema } = when;
  if (!schema) return 'yes';
  const fitsForm = (form: JsonObject) => !failsFor(bounds, form) && fits(schema, form);
  return (use === 'exact' ? argumentForms.every(fitsForm) : argumentForms.some(fitsForm)) ? 'yes' : 'no';
}
