import type { RuleCondition } from '../../domain/approval.js';

interface RunRule {
  readonly tool: string;
  readonly rule: RuleCondition;
}

const KEPT_RUNS = 256;

/** Rules that were given for one run. Nobody says when a run is over, so that only the newest are kept. */
export class RunRules {
  readonly #runs = new Map<string, readonly RunRule[]>();

  add(runId: string, rule: RunRule): void {
    const before = this.#runs.get(runId) ?? [];
    this.#runs.delete(runId);
    this.#runs.set(runId, [...before, rule]);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > KEPT_RUNS && oldest !== undefined) this.#runs.delete(oldest);
  }

  of(runId: string, tool: string): readonly RuleCondition[] {
    return (this.#runs.get(runId) ?? []).filter((one) => one.tool === tool).map(({ rule }) => rule);
  }
}
