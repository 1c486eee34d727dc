import type { Confinement } from '../../../../src/ports/sandbox.js';

/** A confinement of nothing, to which tests add what they look at. */
export function confinement(more: Partial<Confinement> = {}): Confinement {
  return {
    readRoots: [],
    writeRoots: [],
    readOnly: [],
    hidden: [],
    programs: [],
    aliases: [],
    network: 'none',
    users: 'own',
    limits: { memoryBytes: 2 ** 29, pids: 64, cpuSeconds: 3_600, fileBytes: 2 ** 30, scratchBytes: 2 ** 28 },
    notes: [],
    ...more,
  };
}
