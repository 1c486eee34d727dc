/** Cases that need something toolgate does not have yet. A test fails as soon as one of them holds. */
export const NOT_YET: Readonly<Record<string, string>> = {};

/**
 * Cases that only the kernel can hold. Where it is missing such a tool is refused, unless a person says that it may
 * run loose; then nothing is promised, and it would be this machine that is attacked.
 */
export const ONLY_KERNEL: Readonly<Record<string, string>> = {
  'RES-016': 'only a cgroup bounds the sum of what many processes use',
  'RES-023': 'it would stop the process that runs these tests',
  'RES-024': 'it would kill every Node process of this machine',
  'RES-034': 'without a pid namespace, process 1 is the machine’s own',
  'RES-035': 'without a pid namespace, the parent is the host',
};
