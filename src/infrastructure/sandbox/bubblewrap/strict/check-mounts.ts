import { DeniedError } from '../../../../domain/errors.js';
import type { BwrapRequest } from '../bwrap-arguments.js';
import type { MountLine } from '../mount-info.js';
import { runnable } from './strict-mounts.js';

/** Devices are bound one by one from the host's; none of them is a program. */
const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|tty|console)$/;

/**
 * Looks at what was really mounted for a process: what can be written cannot be run, and what can be run is what was
 * listed. A bwrap, a mount or a kernel that does it otherwise is found out before anything runs.
 */
export function checkMounts(mounts: readonly MountLine[], { confinement, cwd }: BwrapRequest): void {
  const { strict, hidden } = confinement;
  if (!strict) return;
  // Beside what is listed, folders that hold nothing, and are sealed.
  const empty = ['/', '/dev', cwd, ...strict.emptied, ...hidden.map((path) => path.replace(/\/$/, ''))];
  const allowed = [...runnable(confinement), ...empty];
  const wrong = mounts.find((mount) => !isHarmless(mount, allowed));
  if (mounts.length > 0 && !wrong) return;
  throw new DeniedError(
    `The process is refused: strict does not hold here, for what is in "${wrong?.point}" could be run`,
    'EXECUTION.SANDBOX.UNAVAILABLE',
  );
}

function isHarmless({ point, options }: MountLine, allowed: readonly string[]): boolean {
  if (options.includes('noexec')) return true;
  return DEVICE.test(point) || (options.includes('ro') && allowed.includes(point));
}
