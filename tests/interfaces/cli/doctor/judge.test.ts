import { describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import { type CallFacts, isGood, judge } from '../../../../src/interfaces/cli/doctor/judge.js';
import type { Holder, Sight, Trial } from '../../../../src/interfaces/cli/doctor/trial.js';

const HELD: CallFacts = {
  enforcement: { ...NOTHING_ENFORCED, fsWrite: 'kernel', memory: 'in-process' },
  confined: true,
};
const LOOSE: CallFacts = { enforcement: NOTHING_ENFORCED, confined: false };
const NOTHING: Sight = { seen: 'nothing' };

function verdictOn(holder: Holder, sight: Sight, facts: CallFacts) {
  const trial: Trial = { id: 'it', tried: 'try it', holder, prepare: () => Promise.reject(new Error()) };
  const { verdict, heldBy } = judge(trial, sight, facts);
  return `${verdict} by ${heldBy}`;
}

describe('judge', () => {
  it.each<[string, Holder, Sight, CallFacts]>([
    ['held by kernel', 'fsWrite', NOTHING, HELD],
    ['held by in-process', 'memory', NOTHING, HELD],
    ['held by kernel', 'confinement', NOTHING, HELD],
    ['held by in-process', 'descriptors', NOTHING, LOOSE],
    ['unheld by none', 'network', NOTHING, HELD],
    ['unheld by none', 'confinement', NOTHING, LOOSE],
    ['escaped by none', 'fsWrite', { seen: 'effect', detail: 'it was written' }, HELD],
    ['untried by none', 'fsWrite', { seen: 'no attempt', detail: 'no mount here' }, HELD],
    ['inapplicable by none', 'network', { seen: 'inapplicable', detail: 'offline' }, LOOSE],
  ])('says %s of %s, %j', (expected, holder, sight, facts) => {
    expect(verdictOn(holder, sight, facts)).toBe(expected);
  });

  it('is content only with what is held, or could not be told here', () => {
    const good = (['held', 'escaped', 'unheld', 'untried', 'inapplicable'] as const).filter((verdict) =>
      isGood({ id: 'it', tried: 'try it', verdict, heldBy: 'none' }),
    );
    expect(good).toEqual(['held', 'inapplicable']);
  });
});
