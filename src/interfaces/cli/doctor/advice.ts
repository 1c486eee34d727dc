import type { SandboxCapabilities } from '../../../ports/sandbox.js';
import { isGood, type TrialResult } from './judge.js';

const LIMITS = new Set(['memory', 'memory-together', 'processes']);

const CGROUP =
  'limits on memory and processes need a cgroup that toolgate may write: run it as root, or as a scope of your own ' +
  'systemd (`systemd-run --user --scope toolgate …`)';

const DEFECT =
  'the kernel layer is there and does not hold all of it: please report that privately, with the output of ' +
  '`toolgate doctor --output-format json` (SECURITY.md)';

/** How to get what is missing here. Why the kernel layer is missing, and what to do, its own adapter knows best. */
export function adviceFor(
  results: readonly TrialResult[],
  { kernel, enforcement }: SandboxCapabilities,
  platform: string = process.platform,
): readonly string[] {
  const bad = results.filter((result) => !isGood(result));
  if (bad.length === 0) return [];
  if (platform !== 'linux') {
    return [
      `run toolgate on Linux, be it in a container or a virtual machine: ${platform} has no kernel layer yet`,
    ];
  }
  if (!kernel) return enforcement.reasons.slice(0, 1);
  // What could not be tried says so itself; nothing is known to be missing.
  const loose = bad.filter(({ verdict }) => verdict !== 'untried');
  const isLimit = ({ id }: TrialResult) => LIMITS.has(id);
  return [...(loose.some(isLimit) ? [CGROUP] : []), ...(loose.every(isLimit) ? [] : [DEFECT])];
}
