import type { ReviewReason } from '../domain/approval.js';
import type { PreparedCall } from '../domain/effect.js';
import { type Failure, toFailure } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../domain/json.js';
import { factsOf, writtenFacts } from '../domain/rules/call-facts.js';
import type { RequestedCall, ToolCall } from '../domain/tool-call.js';
import type { ArgumentValidator } from '../ports/argument-validator.js';
import type { PlannedCall, ToolEntry, ToolExecutor } from '../ports/tool-executor.js';
import { type ApprovalVerdict, decideApproval, denyUnplanned } from './decide-approval.js';

/** What preparing needs to know; `remember` keeps the live plan for the run that follows. */
export interface PrepareScope {
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly executor: ToolExecutor;
  readonly validator: ArgumentValidator;
  readonly signal: AbortSignal;
  readonly remember: (planned: PlannedCall) => void;
}

/** Validates, plans and decides one call. Changes nothing and never throws: a mistake becomes a refusal. */
export function prepareCall(
  requested: RequestedCall,
  scope: PrepareScope,
): PreparedCall | Promise<PreparedCall> {
  const entry = scope.tools.get(requested.name);
  if (!entry) return refuse(requested, unknownTool(requested.name, scope.tools));
  if (requested.complete === false) return refuse(requested, incomplete(requested.name));
  const validated = scope.validator.validate(entry.handler.tool, requested.arguments);
  if (!validated.ok) return refuse(requested, invalidArguments(requested.name, validated.problems));
  const call: ToolCall = { id: requested.id, tool: requested.name, arguments: validated.arguments };
  return decideCall(call, entry, scope);
}

function decideCall(
  call: ToolCall,
  entry: ToolEntry,
  scope: PrepareScope,
): PreparedCall | Promise<PreparedCall> {
  const { approval, handler, workspace } = entry;
  const fits = (schema: JsonSchema, value: Json) => scope.validator.matches(schema, value);
  const decide = (planned: PlannedCall): PreparedCall => {
    scope.remember(planned);
    // Rules speak about what would happen, not about ways to write it: `notes/../x` is `x`.
    const verdict = decideApproval(handler.tool, approval, { facts: factsOf(planned.plan, workspace), fits });
    if (verdict.mode === 'deny') return deniedByPolicy(call, verdict);
    return accepted(call, planned, { verdict, entry });
  };
  const fail = (error: unknown): PreparedCall => ({ verdict: 'refuse', call, failure: toFailure(error) });
  try {
    const denied = denyUnplanned(handler.tool, approval, { facts: writtenFacts(call.arguments), fits });
    if (denied) return deniedByPolicy(call, denied);
    const planned = scope.executor.plan(entry, call, { signal: scope.signal });
    return planned instanceof Promise ? planned.then(decide).catch(fail) : decide(planned);
  } catch (error) {
    return fail(error);
  }
}

function deniedByPolicy(call: ToolCall, { reason }: ApprovalVerdict): PreparedCall {
  const message = `Denied by policy: ${reason}. It was not run; do not try it again.`;
  return { verdict: 'refuse', call, failure: { code: 'EXECUTION.APPROVAL.DENIED', message } };
}

function accepted(
  call: ToolCall,
  planned: PlannedCall,
  { verdict, entry }: { readonly verdict: ApprovalVerdict; readonly entry: ToolEntry },
): PreparedCall {
  const reason = reviewReason(planned, verdict, entry);
  const { planHash, plan } = planned;
  if (!reason) return { verdict: 'run', call, planHash, approval: verdict.source };
  return { verdict: 'review', call, planHash, approval: 'none', plan, reason };
}

/** Why a person must be asked, if one must. A missing kernel layer is asked about even where policy says auto. */
function reviewReason(
  { plan }: PlannedCall,
  verdict: ApprovalVerdict,
  entry: ToolEntry,
): ReviewReason | undefined {
  if (plan.action.kind === 'process' && plan.action.unconfined && entry.onUnavailable === 'prompt') {
    return { kind: 'unavailable', text: 'the kernel cannot confine this process here' };
  }
  return verdict.mode === 'prompt' ? { kind: 'policy', text: verdict.reason } : undefined;
}

function refuse(requested: RequestedCall, failure: Failure): PreparedCall {
  const call = { id: requested.id, tool: requested.name, arguments: shownArguments(requested) };
  return { verdict: 'refuse', call, failure };
}

/** Arguments that were not even an object are kept where a reader of the state finds them. */
function shownArguments(requested: RequestedCall): JsonObject {
  return isJsonObject(requested.arguments) ? requested.arguments : { $raw: requested.arguments ?? null };
}

function unknownTool(name: string, tools: ReadonlyMap<string, ToolEntry>): Failure {
  const names = [...tools.keys()];
  const close = names.find((known) => known.toLowerCase() === name.toLowerCase());
  const hint = close
    ? `Did you mean "${close}"? Names are case-sensitive.`
    : `The tools are: ${names.join(', ') || 'none'}.`;
  return { code: 'EXECUTION.CALL.UNKNOWN_TOOL', message: `There is no tool "${name}". ${hint}` };
}

function incomplete(name: string): Failure {
  const message = `The call of "${name}" was cut off, gives a parameter twice, or has arguments that no tool may get, so it was not run. Write it again, whole and plain.`;
  return { code: 'EXECUTION.CALL.INCOMPLETE', message };
}

function invalidArguments(name: string, problems: readonly string[]): Failure {
  const message = `The arguments of "${name}" do not fit, so it was not run:\n${problems.map((problem) => `- ${problem}`).join('\n')}`;
  return { code: 'EXECUTION.CALL.INVALID_ARGUMENTS', message };
}
