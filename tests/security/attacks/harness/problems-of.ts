import { willing } from './approver.js';
import type { AttackCase } from './attack-case.js';
import { attempt } from './attempt.js';
import { isRefused, lastCall } from './evidence.js';
import type { Weaken } from './gate.js';
import { judge } from './judge.js';
import { ONLY_KERNEL } from './tables.js';
import type { HeldBy } from './workflow-of.js';
import { World } from './world.js';
import { setUp } from './world-setup.js';

const TRIES = 3;

/** Plays an attack in a world of its own, with all that belongs to it, and gives what did not hold. */
export async function problemsOf(
  kase: AttackCase,
  heldBy: HeldBy,
  weaken?: Weaken,
): Promise<readonly string[]> {
  if (heldBy === 'process' && Object.hasOwn(ONLY_KERNEL, kase.id)) return looseProblems(kase);
  const problems: string[] = [];
  for (const form of formsOf(kase)) problems.push(...(await formProblems(form, heldBy, weaken)));
  if (kase.area === 'approval' && kase.must === 'deny') problems.push(...(await twinProblems(kase, heldBy)));
  return problems;
}

/** A case that gives the model one more thing to say, or asks for less than there is to see, is tried both ways. */
function formsOf(kase: AttackCase): readonly AttackCase[] {
  const { cwd_from_model: cwd } = kase.policy;
  if (cwd !== undefined) return [kase, { ...kase, input: { ...kase.input, cwd } }];
  return 'fds' in kase.assert ? [kase, { ...kase, input: { command: 'ls -l /proc/self/fd' } }] : [kase];
}

/** Other work on the machine only ever makes an attack look slower: where nothing but the time is wrong, the best counts. */
async function formProblems(
  kase: AttackCase,
  heldBy: HeldBy,
  weaken: Weaken | undefined,
): Promise<readonly string[]> {
  let problems: readonly string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    problems = await inWorld(kase, async (filled, world) =>
      judge(filled, await attempt(filled, world, { heldBy, weaken }), world),
    );
    if (!problems.every((problem) => problem.startsWith('max_ms:')) || problems.length === 0) return problems;
  }
  return problems;
}

/** What only the kernel can hold must not run without it. */
async function looseProblems(kase: AttackCase): Promise<readonly string[]> {
  const strict = { ...kase, policy: { ...kase.policy, onUnavailable: 'deny' } };
  return inWorld(strict, async (filled, world) => {
    const evidence = await attempt(filled, world, { heldBy: 'process' });
    return evidence.started.length === 0 && isRefused(evidence) ? [] : ['it runs although nothing holds it'];
  });
}

/** The same call with a clear yes runs: what was denied was denied for the answer, and for nothing else. */
async function twinProblems(kase: AttackCase, heldBy: HeldBy): Promise<readonly string[]> {
  const { answer: _answer, tty: _tty, ...policy } = kase.policy;
  return inWorld({ ...kase, policy, assert: {} }, async (filled, world) => {
    const evidence = await attempt(filled, world, { heldBy, approver: willing() });
    const isRun = lastCall(evidence)?.result.success === true;
    return isRun ? [] : [`its twin is refused: ${lastCall(evidence)?.result.error?.message}`];
  });
}

async function inWorld<T>(
  kase: AttackCase,
  work: (filled: AttackCase, world: World) => Promise<T>,
): Promise<T> {
  const world = new World();
  try {
    await setUp(world, kase.setup);
    return await work(world.fill(kase as never) as AttackCase, world);
  } finally {
    await world.leave();
  }
}
