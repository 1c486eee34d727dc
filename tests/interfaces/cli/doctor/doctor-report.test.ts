import { describe, expect, it } from '@jest/globals';
import { NOTHING_ENFORCED } from '../../../../src/domain/enforcement.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { doctorToJson, resultOfJson } from '../../../../src/interfaces/cli/doctor/doctor-json.js';
import { doctorReport } from '../../../../src/interfaces/cli/doctor/doctor-report.js';
import { doctorText } from '../../../../src/interfaces/cli/doctor/doctor-text.js';
import type { TrialResult } from '../../../../src/interfaces/cli/doctor/judge.js';

const RESULTS: readonly TrialResult[] = [
  { id: 'write', tried: 'write a file', verdict: 'held', heldBy: 'kernel' },
  { id: 'take', tried: 'take memory', verdict: 'held', heldBy: 'in-process' },
  { id: 'fork', tried: 'fork', verdict: 'escaped', heldBy: 'none', detail: '64 ran at once' },
  { id: 'mount', tried: 'mount', verdict: 'untried', heldBy: 'none', detail: 'no mount\x1b[2J here' },
  { id: 'reach', tried: 'reach out', verdict: 'inapplicable', heldBy: 'none', detail: 'offline' },
];

const SANDBOX = {
  kernel: true,
  enforcement: { ...NOTHING_ENFORCED, backend: 'some', reasons: ['pids: why'] },
};

describe('doctorReport', () => {
  it('is a table for people', () => {
    expect(doctorText(doctorReport(RESULTS, SANDBOX, ['get a cgroup']))).toBe(`\
   TRIED         HELD BY
✓  write a file  kernel
✓  take memory   in-process
✗  fork          nobody: 64 ran at once
✗  mount         unknown: no mount\\u{1b}[2J here
✓  reach out     not tried: offline

2 of 4 escapes were held. Processes are confined by the kernel, by way of some.

To get what is missing:
- get a cgroup

What the sandbox says of itself here:
- pids: why
`);
  });

  it('has nothing to add where all is held', () => {
    const text = doctorText(doctorReport(RESULTS.slice(0, 2), SANDBOX, []));
    expect(
      text.endsWith('2 of 2 escapes were held. Processes are confined by the kernel, by way of some.\n'),
    ).toBe(true);
  });

  it('is data for programs, and can be read back', () => {
    const json = doctorToJson(doctorReport(RESULTS, SANDBOX, ['get a cgroup']));
    expect(json).toMatchObject({
      holds: false,
      kernel: true,
      backend: 'some',
      missing: ['get a cgroup'],
      reasons: ['pids: why'],
    });
    expect((json.escapes as JsonObject[]).map(resultOfJson)).toEqual(RESULTS);
    expect(resultOfJson({ id: 'x', tried: 'y', verdict: 'fine', held_by: 'kernel' })).toBeUndefined();
  });
});
