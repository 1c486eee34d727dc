import type { AgentStep, StepTarget } from '../../domain/workflow.js';
import { buildStep, endTarget, type PlacedStep, type TargetResolver } from './build-steps.js';
import type { References } from './references.js';
import { reportDuplicates } from './report-duplicates.js';
import { didYouMean } from './suggest.js';
import type { YamlValue } from './yaml-value.js';

/** The steps of a file, from a `steps:` list or from AWF's `states:` map; the one that runs first is first. */
export function buildAllSteps(root: YamlValue, references: References): readonly PlacedStep[] {
  const [steps, states] = [root.get('steps'), root.get('states')];
  if (steps.isPresent && states.isPresent) {
    const message = 'a workflow has `steps` (a list) or `states` (a map), not both';
    states.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message }, 'key');
  }
  return [...buildList(steps, references), ...buildStates(states, references)];
}

function buildList(list: YamlValue, references: References): readonly PlacedStep[] {
  const items = list.items();
  reportDuplicates(items.map((item) => item.get('name')));
  const names = items.map((item) => item.get('name').text() ?? '');
  const targets = new Map(names.map((name) => [name, stepTarget(name)] as const));
  const resolve = resolver(targets);
  return items.map((item, index) => {
    const next = names[index + 1];
    const place = {
      name: names[index] ?? '',
      next: next === undefined ? endTarget('success') : stepTarget(next),
      resolve,
    };
    return buildStep(item, place, references);
  });
}

function buildStates(states: YamlValue, references: References): readonly PlacedStep[] {
  const members = states.entries().filter(([name]) => name !== 'initial');
  const targets = new Map(members.map(([name, state]) => [name, stateTarget(name, state)] as const));
  const resolve = resolver(targets);
  checkInitial(states.get('initial'), resolve);
  const steps = members
    .filter(([, state]) => isAgent(state))
    .map(([name, state]) => {
      checkOwnName(name, state.get('name'));
      return buildStep(state, { name, next: endTarget('success'), resolve }, references);
    });
  for (const [name, state] of members) {
    const after = steps.flatMap(({ step }) => (leadsTo(step, targets.get(name)) ? [step.name] : []));
    if (isTerminal(state)) references.scan(state.get('message'), { kind: 'end', after });
  }
  const initial = states.get('initial').text();
  const first = steps.filter(({ step }) => step.name === initial);
  return [...first, ...steps.filter(({ step }) => step.name !== initial)];
}

/** States of types that are not supported are reported by the schema; here they are only names. */
function isAgent(state: YamlValue): boolean {
  const { raw } = state.get('type');
  return raw === 'agent' || raw === undefined;
}

function isTerminal(state: YamlValue): boolean {
  return state.get('type').raw === 'terminal';
}

/** Each end of a file is one object, so that two which say the same are still told apart. */
function leadsTo({ onSuccess, onFailure }: AgentStep, target: StepTarget | undefined): boolean {
  return onSuccess === target || onFailure === target;
}

function stepTarget(name: string): StepTarget {
  return { kind: 'step', name };
}

function stateTarget(name: string, state: YamlValue): StepTarget {
  if (!isTerminal(state)) return stepTarget(name);
  const status = state.get('status').raw === 'failure' ? 'failure' : 'success';
  return endTarget(status, state.get('message').text());
}

function resolver(targets: ReadonlyMap<string, StepTarget>): TargetResolver {
  return (target) => {
    const name = target.text();
    if (name === undefined) return undefined;
    const found = targets.get(name);
    if (found) return found;
    target.report({
      code: 'WORKFLOW.VALIDATION.MISSING_STATE',
      message: `${target.path}: there is no \`${name.slice(0, 80)}\` to go to`,
      suggestion: () => didYouMean(name, [...targets.keys()], 'there is'),
    });
    return undefined;
  };
}

function checkInitial(initial: YamlValue, resolve: TargetResolver): void {
  if (resolve(initial)?.kind !== 'end') return;
  const message = `${initial.path}: a workflow that begins in a terminal state does nothing`;
  initial.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
}

function checkOwnName(key: string, name: YamlValue): void {
  if (!name.isPresent || name.raw === key) return;
  const message = `${name.path}: a state's name is its key, \`${key}\``;
  name.report({ code: 'WORKFLOW.VALIDATION.SCHEMA', message });
}
