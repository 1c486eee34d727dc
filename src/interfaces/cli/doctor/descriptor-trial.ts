import { fstatSync } from 'node:fs';
import type { Trial } from './trial.js';

/** High enough not to be one that a sandbox uses for itself, and so covers by accident. */
export const PLANTED_DESCRIPTOR = 17;

const READ_DESCRIPTOR = `cat "/proc/self/fd/$2" || cat "/dev/fd/$2"
: > "$1"`;

/** For a doctor that was started with a file left open: a process inside must not find it open as well. */
export function descriptorTrial(secret: string, descriptor = PLANTED_DESCRIPTOR): Trial {
  return {
    ...DESCRIPTOR_TRIAL,
    prepare: (stage) => {
      const isPlanted = isOpen(descriptor);
      const args = [stage.markOf(DESCRIPTOR_TRIAL.id), String(descriptor)];
      return {
        command: { kind: 'script', script: READ_DESCRIPTOR, args },
        look: ({ output }) => {
          if (output.includes(secret)) return { seen: 'effect', detail: 'it was read' };
          if (isPlanted) return stage.nothingSeen(DESCRIPTOR_TRIAL.id);
          return { seen: 'no attempt', detail: 'no file was left open' };
        },
      };
    },
  };
}

/** What it is called, for whoever starts that doctor. */
export const DESCRIPTOR_TRIAL = {
  id: 'inherited-descriptor',
  tried: 'read a file that somebody else left open',
  holder: 'descriptors',
} as const;

function isOpen(number: number): boolean {
  try {
    return fstatSync(number).isFile();
  } catch {
    return false;
  }
}
