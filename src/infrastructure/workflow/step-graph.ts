import type { PlacedStep } from './build-steps.js';
import type { StateReference } from './references.js';
import { didYouMean } from './suggest.js';

const MAX_PROBLEMS = 50;

/** Reports steps that can never end, and references to steps that cannot have run. */
export function checkStepGraph(steps: readonly PlacedStep[], states: readonly StateReference[]): void {
  const graph = new StepGraph(steps);
  checkEndings(steps, graph);
  let problems = 0;
  for (const reference of states) {
    if (checkReference(reference, graph)) continue;
    problems += 1;
    if (problems >= MAX_PROBLEMS) return;
  }
}

class StepGraph {
  readonly #targets = new Map<string, readonly string[]>();
  readonly #ends = new Set<string>();
  readonly #reached = new Map<string, ReadonlySet<string>>();

  constructor(steps: readonly PlacedStep[]) {
    const names = new Set(steps.map(({ step }) => step.name));
    for (const { step } of steps) {
      const known = [step.onSuccess, step.onFailure].flatMap((target) =>
        target.kind === 'step' && names.has(target.name) ? target.name : [],
      );
      this.#targets.set(step.name, known);
      // A state of a type that is not supported is reported as such; whether it ends is not asked.
      if (known.length < 2) this.#ends.add(step.name);
    }
  }

  get names(): readonly string[] {
    return [...this.#targets.keys()].filter((name) => name !== '');
  }

  has(name: string): boolean {
    return this.#targets.has(name);
  }

  /** Every step that can run after this one; itself only when a way leads back to it. */
  after(name: string): ReadonlySet<string> {
    const known = this.#reached.get(name);
    if (known) return known;
    const reached = new Set<string>();
    const open = [...(this.#targets.get(name) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(this.#targets.get(next) ?? []));
    }
    this.#reached.set(name, reached);
    return reached;
  }

  canEnd(name: string): boolean {
    return this.#ends.has(name) || [...this.after(name)].some((next) => this.#ends.has(next));
  }
}

/** One report for all steps that lead only to each other. */
function checkEndings(steps: readonly PlacedStep[], graph: StepGraph): void {
  const endless = steps.find(({ step }) => !graph.canEnd(step.name));
  if (!endless) return;
  const names = [endless.step.name, ...graph.after(endless.step.name)];
  const shown = [...new Set(names)].slice(0, 10).map((name) => `\`${name}\``);
  endless.at.report({
    code: 'WORKFLOW.VALIDATION.CYCLE_DETECTED',
    message: `from \`${endless.step.name}\` the workflow can never end: ${shown.join(', ')} lead only to each other`,
    suggestion: () => 'let one of them go on to a terminal state, or leave out its `on_failure`',
  });
}

function checkReference({ target, from, report }: StateReference, graph: StepGraph): boolean {
  if (!graph.has(target)) {
    report({
      message: `there is no step \`${target.slice(0, 80)}\``,
      suggestion: () => didYouMean(target, graph.names, 'the steps are'),
    });
    return false;
  }
  if (canHaveRun(target, from, graph)) return true;
  const when = from.kind === 'step' ? `before \`${from.step}\`` : 'when the workflow ends here';
  report({ message: `the step \`${target}\` cannot have run ${when}` });
  return false;
}

function canHaveRun(target: string, from: StateReference['from'], graph: StepGraph): boolean {
  const later = graph.after(target);
  if (from.kind === 'step') return later.has(from.step);
  // To an end that nothing leads to, nothing can be missing.
  return from.after.length === 0 || from.after.some((last) => last === target || later.has(last));
}
