import { readFileSync } from 'node:fs';
import { messageOf } from '../../../domain/errors.js';
import { DEFAULT_LIMITS } from '../../../domain/restrictions.js';
import type { Confinement, StrictConfinement } from '../../../ports/sandbox.js';
import { type BwrapBinary, findBwrap } from './bwrap-binary.js';
import type { KernelFacts } from './kernel-enforcement.js';
import { endSandbox, Recipe } from './recipe.js';
import { runSandbox } from './run-sandbox.js';
import { filterFile } from './shared-files.js';
import { limitsOf } from './survey.js';
import { systemView } from './system-view.js';

/** What a real sandbox on this machine showed, or why there is none. */
export type ProbeResult =
  | { readonly facts: Omit<KernelFacts, 'isExecChecked' | 'isStrict' | 'notes'> }
  | { readonly problem: string };

const NOTHING: Confinement = {
  readRoots: [],
  writeRoots: [],
  readOnly: [],
  hidden: [],
  programs: [],
  aliases: [],
  network: 'none',
  users: 'own',
  limits: limitsOf(DEFAULT_LIMITS),
  notes: [],
};
const TIMEOUT_MS = 10_000;

/** Runs a program in a sandbox, with every option that a real one has; in a strict one, if that is asked. */
export async function tryOut(strict?: StrictConfinement): Promise<ProbeResult> {
  const bwrap = findBwrap();
  if (typeof bwrap === 'string') return { problem: bwrap };
  try {
    // A second time: where cgroups can be made but not used, it has been given up on them now.
    return await runOnce(bwrap, strict).catch(() => runOnce(bwrap, strict));
  } catch (error) {
    return { problem: explain(messageOf(error)) };
  }
}

async function runOnce(bwrap: BwrapBinary, strict: StrictConfinement | undefined): Promise<ProbeResult> {
  const hasFilter = filterFile() !== undefined;
  const common = { env: {}, system: systemView(), knows: bwrap.knows };
  const confinement = strict ? { ...NOTHING, strict } : NOTHING;
  const request = { ...common, confinement, cwd: '/tmp', hasFilter };
  const recipe = new Recipe({ bwrap, request, roots: [], places: new Map() });
  try {
    return await runTrial(recipe, hasFilter);
  } finally {
    recipe.close();
  }
}

async function runTrial(recipe: Recipe, hasFilter: boolean): Promise<ProbeResult> {
  const sandbox = await recipe.start(['/bin/sh', '-c', 'exit 0']);
  const context = { signal: AbortSignal.timeout(TIMEOUT_MS) };
  context.signal.addEventListener('abort', () => sandbox.process.kill(), { once: true });
  try {
    await recipe.settle(sandbox);
    const { exitCode, signal, output } = await runSandbox(sandbox.process, {
      argv: [],
      maxOutputBytes: 4_096,
      context,
    });
    if (exitCode !== 0)
      return { problem: explain(`a trial ended with ${exitCode ?? signal}: ${output.trim()}`) };
    return { facts: { hasFilter, cgroup: sandbox.cgroup, limitsPids: sandbox.limitsPids } };
  } finally {
    await endSandbox(sandbox);
  }
}

/** What somebody can do about it, where that is known. */
export function explain(said: string, settings: (name: string) => string = readSetting): string {
  const hint = HINTS.find(({ fits, when }) => fits.test(said) && (when === undefined || when(settings)));
  return `bubblewrap does not work here (${said})${hint ? `: ${hint.advice}` : ''}`;
}

const NO_NAMESPACE = /namespace|uid map|Operation not permitted|Permission denied/i;

const HINTS: readonly {
  readonly fits: RegExp;
  readonly when?: (settings: (name: string) => string) => boolean;
  readonly advice: string;
}[] = [
  {
    fits: /Unknown option/i,
    advice: 'it is too old; install bubblewrap 0.6 or later',
  },
  {
    fits: /proc/i,
    advice:
      'inside of a container /proc is partly covered; give the container --security-opt systempaths=unconfined, or run tools on the host',
  },
  {
    fits: NO_NAMESPACE,
    when: (settings) => settings('kernel/unprivileged_userns_clone') === '0',
    advice: 'user namespaces are off; as root: sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    fits: NO_NAMESPACE,
    when: (settings) => settings('user/max_user_namespaces') === '0',
    advice: 'user namespaces are off; as root: sysctl -w user.max_user_namespaces=10000',
  },
  {
    fits: NO_NAMESPACE,
    when: (settings) => settings('kernel/apparmor_restrict_unprivileged_userns') === '1',
    advice:
      'AppArmor keeps programs from making user namespaces; as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give bwrap a profile of its own',
  },
  {
    fits: NO_NAMESPACE,
    advice:
      'namespaces cannot be made here, as in most containers; give the container --security-opt seccomp=unconfined, or run tools on the host',
  },
];

function readSetting(name: string): string {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return '';
  }
}
