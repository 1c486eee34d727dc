import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Area, type AttackCase, type Collection, loadCases } from './attack-case.js';
import { closeKernelSandbox } from './kernel.js';
import { problemsOf } from './problems-of.js';
import { NOT_YET } from './tables.js';
import type { HeldBy } from './workflow-of.js';

/** Thousands of tries of one attack on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Every attack of an area as a test of its own, sent through the whole gate. */
export function describeAttacks(
  area: Area,
  heldBy: HeldBy,
  collections: readonly Collection[] = ['cases', 'variants'],
): void {
  // A rehearsal: else the time of the first attack would be that of loading the whole gate.
  const first = loadCases(collections[0] ?? 'cases', area).find((each) => isForLayer(each, heldBy));
  if (first) beforeAll(async () => void (await problemsOf(first, heldBy)), TIMEOUT_MS);
  afterAll(closeKernelSandbox);
  describe.each(collections)(`${area} attacks held by the ${heldBy}: %s`, (collection) => {
    const cases = loadCases(collection, area);
    for (const kase of cases.filter((each) => isForThisSystem(each) && isForLayer(each, heldBy))) {
      it(`${kase.id} ${kase.must}: ${kase.why}`, () => expectHeld(kase, heldBy), TIMEOUT_MS);
    }
    // By name, so that nobody takes them for tested.
    for (const { id, platform = '' } of cases.filter((each) => !isForThisSystem(each))) {
      it(`${id} is not applicable here: it is an attack on ${platform}`, () => {
        expect(platform.split(',')).not.toContain(process.platform);
      });
    }
  });
}

async function expectHeld(kase: AttackCase, heldBy: HeldBy): Promise<void> {
  const problems = await problemsOf(kase, heldBy);
  if (Object.hasOwn(NOT_YET, kase.id)) expect(problems).not.toEqual([]);
  else expect(problems).toEqual([]);
}

function isForThisSystem({ platform = 'all' }: AttackCase): boolean {
  return platform === 'all' || platform.split(',').includes(process.platform);
}

/** Escapes from the kernel layer are tried where it is; what happens without it, where it is not. */
function isForLayer({ layer, setup }: AttackCase, heldBy: HeldBy): boolean {
  if (layer !== 'kernel') return true;
  const isAboutItsAbsence = setup.some(({ note }) => /^bwrap missing|^userns disabled/.test(String(note)));
  return heldBy === (isAboutItsAbsence ? 'process' : 'kernel');
}
