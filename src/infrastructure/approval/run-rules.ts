import type { RuleCondition, RunRule } from '../../domain/approval.js';

const KEPT_RUNS = 256;

/** Rules that were given for one run. Nobody says when a run is over, so that only the newest are kept. */
export class RunRules {
  readonly #runs = new Map<string, Promise<readonly RunRule[]>>();

  /** `recorded`: those that were given before this process worked on the run. */
  constructor(private readonly recorded: (runId: string) => Promise<readonly RunRule[]> = async () => []) {}

  add(runId: string, rule: RunRule): void {
    const before = this.#rules(runId);
    this.#keep(
      runId,
      before.then((rules) => [...rules, rule]),
    );
  }

  async of(runId: string, tool: string): Promise<readonly RuleCondition[]> {
    return (await this.#rules(runId)).filter((one) => one.tool === tool).map(({ rule }) => rule);
  }

  #rules(runId: string): Promise<readonly RunRule[]> {
    const known = this.#runs.get(runId);
    if (known) return known;
    // What cannot be read is asked about again.
    const recorded = this.recorded(runId).catch(() => []);
    this.#keep(runId, recorded);
    return recorded;
  }

  #keep(runId: string, rules: Promise<readonly RunRule[]>): void {
    this.#runs.delete(runId);
    this.#runs.set(runId, rules);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > KEPT_RUNS && oldest !== undefined) this.#runs.delete(oldest);
  }
}
