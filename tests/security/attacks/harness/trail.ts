import type { JsonObject } from '../../../../src/domain/json.js';
import type { AttackCase } from './attack-case.js';
import { type Evidence, lastCall } from './evidence.js';
import { isAboutFailingAudit } from './gate.js';

/** What a terminal acts on when somebody looks at the file with `cat` or `tail -f`. */
const ACTS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const LONGEST_LINE = 16 * 1024;
const EVENTS = new Set([
  ...['run.start', 'run.end', 'step.start', 'step.end', 'turn', 'approval.asked', 'approval.answered'],
  ...['process.start', 'tool.call', 'tool.result', 'tool.denied', 'tool.skipped'],
]);

/** What is wrong with how an attack was written down. */
export function trailProblem(kase: AttackCase, evidence: Evidence): string | undefined {
  const { trail } = evidence;
  const leaked = secretsIn(kase).find((secret) => trail.includes(secret));
  if (leaked !== undefined) return `${leaked} is in the trail`;
  return lineProblem(evidence) ?? recordProblem(kase, evidence);
}

/** What is wrong with the lines themselves: each one harmless, not too long, and one event. */
export function lineProblem({ trail, failure, calls }: Evidence): string | undefined {
  if (trail === '') return failure && calls.length === 0 ? undefined : 'nothing was written down';
  const lines = trail.split('\n').slice(0, -1);
  const odd = lines.find((line) => ACTS.test(line) || Buffer.byteLength(line) > LONGEST_LINE);
  if (odd !== undefined) return `a line acts on a terminal or is too long: ${odd.slice(0, 200)}`;
  const events = lines.map((line) => String((JSON.parse(line) as JsonObject).event));
  const forged = events.find((event) => !EVENTS.has(event));
  return forged === undefined ? undefined : `there is no event "${forged}"`;
}

/** The call is in it, with its own id, and a refusal with its reason. */
function recordProblem(kase: AttackCase, evidence: Evidence): string | undefined {
  if (isAboutFailingAudit(kase)) return undefined;
  const call = lastCall(evidence);
  const lines = evidence.trail.split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as JsonObject);
  // An id that is longer than any provider's is cut, as every text is.
  const own = events.filter(({ call_id }) => call && String(call_id).startsWith(call.id.slice(0, 64)));
  if (!call || own.length === 0) return 'the call is not in the trail';
  const hasReason = own.some(
    ({ error }) => (error as JsonObject | undefined)?.code === call.result.error?.code,
  );
  return call.result.error && !hasReason ? 'the refusal is not in the trail' : undefined;
}

/** What a case says must be redacted. One that says so and has nothing that looks like a secret is not understood. */
function secretsIn({ id, input, why }: AttackCase): readonly string[] {
  const values = Object.values((input.env ?? {}) as JsonObject).map(String);
  const text = String(input.command ?? '');
  const written = [...text.matchAll(/Bearer ([^\s']+)|:\/\/[^:/]*:([^@/]+)@/g)].map(([, token, password]) =>
    String(token ?? password),
  );
  const secrets = [...values, ...written];
  if (/redact/.test(why) && secrets.length === 0) throw new Error(`${id}: which secret is meant?`);
  return secrets;
}
