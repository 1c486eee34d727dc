import type { ApprovalDecision, ApprovalRequest, RuleCondition, RunRule } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import type { CallPlan, PlannedAction } from '../../domain/plan.js';
import { whyNotLasting } from '../../domain/rules/lasting-answer.js';
import { describeRule } from '../../domain/rules/rule-text.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';
import type {
  NewDecision,
  RememberedDecision,
  RememberedDecisions,
} from '../../ports/remembered-decisions.js';
import { fitsRules, type RuleContext } from './fits-rules.js';
import { RunRules } from './run-rules.js';

type Approved = Extract<ApprovalDecision, { kind: 'approved' }>;

export interface RememberingOptions extends RuleContext {
  readonly store: RememberedDecisions;
  /** Asked what nobody has answered for good. */
  readonly next: ApprovalGate;
  /** Told why an answer does not hold for as long as it was meant to. */
  readonly notify?: (text: string) => void;
  readonly now?: () => number;
  /** Who answered where the answer does not say so: the person whose process this is. */
  readonly who?: string;
  /** The rules that were given for a run before this process worked on it. */
  readonly rulesOf?: (runId: string) => Promise<readonly RunRule[]>;
}

interface OpenQuestion {
  readonly request: ApprovalRequest;
  readonly context: ReviewContext;
  readonly settle: (known: Approved) => void;
}

/**
 * Answers what a person has answered for good, and keeps what one answers so. Only prompts of a policy: a call in doubt
 * and a missing kernel layer need a look each time. Where something cannot be kept, the answer holds for this call.
 */
export class RememberingApprovalGate implements ApprovalGate {
  readonly #runRules: RunRules;
  /** What people are being asked just now: an answer to one may be one to others as well. */
  readonly #open = new Set<OpenQuestion>();

  constructor(private readonly options: RememberingOptions) {
    this.#runRules = new RunRules(options.rulesOf);
  }

  async review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const { next, store } = this.options;
    if (request.reason.kind !== 'policy' || context.signal.aborted) return next.review(request, context);
    const { decisions, problem } = await store.read();
    const known = await this.#knownAnswer(request, decisions, context);
    return known ?? this.#ask(withProblem(request, problem), context);
  }

  /** Asks, until somebody answers or says of another call what holds for this one too. */
  async #ask(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const over = new AbortController();
    const signal = AbortSignal.any([context.signal, over.signal]);
    let settle: OpenQuestion['settle'] = () => undefined;
    const settled = new Promise<Approved>((resolve) => {
      settle = resolve;
    });
    const question: OpenQuestion = { request, context: { ...context, signal }, settle };
    this.#open.add(question);
    try {
      return await Promise.race([settled, this.#answered(question)]);
    } finally {
      this.#open.delete(question);
      over.abort();
    }
  }

  async #answered(question: OpenQuestion): Promise<ApprovalDecision> {
    const { request, context } = question;
    const decision = await this.options.next.review(request, context);
    this.#open.delete(question);
    if (decision.kind !== 'approved') return decision;
    const kept = await this.#keep(decision, request, context);
    if (kept.scope !== 'once') await this.#settleOthers();
    return kept;
  }

  async #settleOthers(): Promise<void> {
    const { decisions } = await this.options.store.read();
    for (const { request, context, settle } of [...this.#open]) {
      const known = await this.#knownAnswer(request, decisions, context);
      if (known) settle(known);
    }
  }

  async #knownAnswer(
    { plan, planHash }: ApprovalRequest,
    decisions: readonly RememberedDecision[],
    { runId }: ReviewContext,
  ): Promise<Approved | undefined> {
    const ofTool = decisions.filter(({ tool }) => tool === plan.tool);
    const isExact = ofTool.some((one) => 'planHash' in one && one.planHash === planHash);
    const rules = [
      ...ofTool.flatMap((one) => ('rule' in one ? [one.rule] : [])),
      ...(await this.#runRules.of(runId, plan.tool)),
    ];
    if (!isExact && !fitsRules(plan, rules, this.options)) return undefined;
    return { kind: 'approved', planHash, scope: 'once', source: 'remembered' };
  }

  async #keep(decision: Approved, request: ApprovalRequest, context: ReviewContext): Promise<Approved> {
    const { plan, planHash } = request;
    const { scope, rule } = decision;
    // An answer to something else is nobody's business here; whoever asked refuses it.
    if (scope === 'once' || decision.planHash !== planHash) return decision;
    const problem = this.#keepingProblem(decision, plan);
    if (problem !== undefined) return this.#onlyOnce(decision, problem);
    if (scope === 'run') {
      if (rule) this.#runRules.add(context.runId, { tool: plan.tool, rule });
      return decision;
    }
    try {
      await this.options.store.add(this.#toStore(decision, request));
      return decision;
    } catch (error) {
      return this.#onlyOnce(decision, messageOf(error));
    }
  }

  #keepingProblem({ rule, arguments: edited }: Approved, plan: CallPlan): string | undefined {
    if (edited) return 'its arguments were changed';
    if (!rule) return whyNotLasting(plan);
    const { action } = plan;
    if (action.kind === 'process' && action.commands?.length !== 1)
      return 'a rule is never kept for a compound command';
    return fitsRules(plan, [rule], this.options) ? undefined : 'the rule does not speak for this call';
  }

  #toStore({ rule, by, planHash }: Approved, { plan }: ApprovalRequest): NewDecision {
    const width = rule ? { rule } : { planHash };
    const { now = Date.now, who } = this.options;
    const named = by ?? who;
    const person = named === undefined ? {} : { by: named };
    return { tool: plan.tool, ...width, ...person, at: now(), note: noteOf(plan, rule) };
  }

  #onlyOnce({ rule: _dropped, ...decision }: Approved, problem: string): Approved {
    this.options.notify?.(`the answer holds for this call only: ${problem}`);
    return { ...decision, scope: 'once' };
  }
}

/** Whoever is asked learns why it is asked again. */
function withProblem(request: ApprovalRequest, problem: string | undefined): ApprovalRequest {
  if (problem === undefined) return request;
  const { reason } = request;
  return { ...request, reason: { ...reason, text: `${reason.text} (${problem})` } };
}

const MAX_NOTE = 200;

function noteOf({ action }: CallPlan, rule: RuleCondition | undefined): string {
  if (rule) return `calls where ${describeRule(rule)}`;
  const shown = subjectOf(action);
  return shown.length > MAX_NOTE ? `${shown.slice(0, MAX_NOTE)}…` : shown;
}

/** What exactly one call was about, without the values that were filled in: they may be secret. */
function subjectOf(action: PlannedAction): string {
  switch (action.kind) {
    case 'process':
      return action.script ?? (action.commands ?? []).map(({ name, path }) => name ?? path).join(', ');
    case 'read-file':
    case 'write-file':
      return action.path;
    case 'http':
      return `${action.method} ${action.url.replace(/[?#].*$/s, '')}`;
    case 'handler':
      return 'one call with these very arguments';
    default:
      return action satisfies never;
  }
}
