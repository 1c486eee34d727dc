import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { AttackCase } from './attack-case.js';
import { connectionProblem } from './connections.js';
import { type Evidence, isRefused, lastCall, toldText } from './evidence.js';
import { displayProblem } from './screen.js';
import { lineProblem } from './trail.js';
import { timeoutOf } from './workflow-of.js';
import type { World } from './world.js';

interface Scene {
  readonly kase: AttackCase;
  readonly evidence: Evidence;
  readonly world: World;
}

type Check = (expected: Json, scene: Scene) => boolean | string | undefined;

/** Every kind of assertion there is: true or nothing where it holds, else false or what is wrong. */
const KINDS: Readonly<Record<string, Check>> = {
  output_not_contains: (text, { evidence }) => !toldText(evidence).includes(String(text)),
  output_never_contains: (text, { evidence }) => !toldText(evidence).includes(String(text)),
  output_equals: (text, { evidence }) => lastCall(evidence)?.result.output === text,
  file_absent: (path) => !existsSync(String(path)),
  file_equals: (value) => {
    const [path, content] = value as [string, string];
    return readFileSync(path, 'utf8') === content;
  },
  mode_mask: (value) => {
    const [path, mask] = value as [string, string];
    return (statSync(path).mode & Number.parseInt(mask, 8)) === 0;
  },
  outside_root_unchanged: (_, { evidence }) => evidence.harm.length === 0,
  argv_last: (text, { evidence }) => evidence.started.at(-1)?.argv.at(-1) === text,
  max_ms: (limit, { kase, evidence }) => {
    const most = limit === 'timeout+500' ? timeoutOf(kase) + 500 : Number(limit);
    return evidence.ms <= most || `${Math.round(evidence.ms)} ms, not ${most}`;
  },
  max_rss_mb: (limit, { evidence }) => evidence.grownMb <= Number(limit) || `${evidence.grownMb} MB`,
  total_rss_mb_max: (limit, { evidence }) =>
    evidence.treeMb <= Number(limit) || saysSumIsFree(evidence) || `${evidence.treeMb} MB`,
  truncated: (_, { evidence }) => lastCall(evidence)?.result.truncated !== undefined,
  exit_nonzero: (_, { evidence }) => lastCall(evidence)?.result.error?.code === 'EXECUTION.TOOL.EXIT_CODE',
  no_survivors: (_, { evidence }) => evidence.survivors.length === 0,
  // Whoever reads this is the host: it is alive, and was not even stopped for long.
  host_alive: (_, { kase, evidence }) => evidence.ms < timeoutOf(kase) + 2000,
  fds: descriptorProblem,
  decision: (decision, { evidence }) => isDecision(String(decision), evidence),
  no_connection: (_, { kase, evidence, world }) => connectionProblem(kase, evidence, world),
  no_pollution: () => Object.keys(Object.prototype).length === 0,
  rendered_no_control: (_, { kase, evidence }) => displayProblem(kase, evidence),
  full_text_reachable: (_, { kase, evidence }) => displayProblem(kase, evidence),
  one_line_per_event: (_, { evidence }) => lineProblem(evidence),
  valid_json: (_, { evidence }) => lineProblem(evidence),
  // How often it is tried; the others say what must hold each time.
  repeat: (count, { evidence }) => evidence.calls.length === count,
  note: () => true,
};

/** What a case asserts and does not hold. */
export function assertionProblems(kase: AttackCase, evidence: Evidence, world: World): readonly string[] {
  return Object.entries(kase.assert as JsonObject).flatMap(([kind, expected]) => {
    const check = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (!check) throw new Error(`unknown assertion "${kind}"`);
    const verdict = check(expected as Json, { kase, evidence, world });
    if (verdict === true || verdict === undefined) return [];
    return [`${kind}: ${verdict === false ? JSON.stringify(expected) : verdict}`];
  });
}

/** Without a cgroup nobody holds the sum of what processes use; then the result must not promise it. */
function saysSumIsFree(evidence: Evidence): boolean {
  const held = lastCall(evidence)?.result.enforcement;
  return held?.memory !== 'kernel' && held?.reasons.some((reason) => /^memory: .*sum/.test(reason)) === true;
}

function isDecision(decision: string, evidence: Evidence): boolean {
  if (decision === 'deny') return isRefused(evidence);
  if (decision !== 'contain') throw new Error(`unknown decision "${decision}"`);
  const isConfined = lastCall(evidence)?.result.enforcement.fsWrite === 'kernel';
  return isRefused(evidence) || isConfined;
}

/**
 * `ls` opens the folder that it lists: one number more than there should be is its own. A number that this very
 * process was born with is covered with nothing, as the form of `ls` that shows where each leads to proves.
 */
function descriptorProblem(expected: Json, { evidence }: Scene): string | undefined {
  if (isRefused(evidence)) return undefined;
  const output = lastCall(evidence)?.result.output ?? '';
  const numbers = [...output.matchAll(/(\d+)(?: -> (\S+))?$/gm)].map(([, number, target]) => ({
    number: Number(number),
    target,
  }));
  const others = numbers.filter(({ number }) => !(expected as number[]).includes(number));
  const leaked = others.filter(({ number, target }) =>
    target === undefined
      ? !existsSync(`/proc/self/fd/${number}`)
      : !/^\/dev\/null$|^\/proc\/\d+\/fd$/.test(target),
  );
  const isRead = numbers.length >= (expected as number[]).length;
  return isRead && leaked.length <= 1 ? undefined : `inherited: ${output}`;
}
