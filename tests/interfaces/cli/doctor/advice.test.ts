import { describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import { adviceFor } from '../../../../src/interfaces/cli/doctor/advice.js';
import type { TrialResult, Verdict } from '../../../../src/interfaces/cli/doctor/judge.js';

const REASONS = ['bubblewrap is not installed: install it', 'pids: cannot be limited'];
const WITHOUT = { kernel: false, enforcement: { ...NOTHING_ENFORCED, reasons: REASONS } };
const WITH = { ...WITHOUT, kernel: true };

function result(id: string, verdict: Verdict): TrialResult {
  return { id, tried: id, verdict, heldBy: 'none' };
}

const ESCAPED = [result('write-outside', 'escaped'), result('memory', 'held')];
const UNLIMITED = [result('memory-together', 'escaped'), result('processes', 'unheld')];

describe('adviceFor', () => {
  it('says nothing where nothing is missing', () => {
    const held = [result('memory', 'held'), result('connect-public', 'inapplicable')];
    expect(adviceFor(held, WITH, 'linux')).toEqual([]);
  });

  it('says why the kernel layer is missing', () => {
    expect(adviceFor(ESCAPED, WITHOUT, 'linux')).toEqual(['bubblewrap is not installed: install it']);
  });

  it('sends other systems to Linux', () => {
    expect(adviceFor(ESCAPED, WITHOUT, 'darwin')).toEqual([expect.stringContaining('run toolgate on Linux')]);
  });

  it('asks for a cgroup where limits are missing', () => {
    expect(adviceFor(UNLIMITED, WITH, 'linux')).toEqual([expect.stringContaining('cgroup')]);
  });

  it('has none for what could not be tried', () => {
    expect(adviceFor([result('remount', 'untried'), result('memory', 'untried')], WITH, 'linux')).toEqual([]);
  });

  it('asks for a report where the kernel layer does not hold what it should', () => {
    expect(adviceFor(ESCAPED, WITH, 'linux')).toEqual([expect.stringContaining('report that privately')]);
    expect(adviceFor([...ESCAPED, ...UNLIMITED], WITH, 'linux')).toHaveLength(2);
  });
});
