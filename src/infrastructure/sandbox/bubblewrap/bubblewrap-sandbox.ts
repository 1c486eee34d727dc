import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { NOTHING_ENFORCED } from '../../../domain/enforcement.js';
import { DeniedError } from '../../../domain/errors.js';
import { deepFreeze } from '../../../domain/json.js';
import type { NetworkAccess } from '../../../ports/network-access.js';
import type {
  Confinement,
  ProcessCommand,
  ProcessContext,
  ProcessOutcome,
  ProcessPlan,
  Sandbox,
  SandboxCapabilities,
  SandboxPolicy,
} from '../../../ports/sandbox.js';
import { BinaryResolver } from '../binary-resolver.js';
import { CommandPlanner, isExecChecked } from '../command-planner.js';
import { GuardedNetworkAccess } from '../guarded-network-access.js';
import { isInside } from '../path-containment.js';
import { cancelled, startError } from '../process-errors.js';
import { type BwrapBinary, findBwrap } from './bwrap-binary.js';
import { BACKEND, kernelEnforcement } from './kernel-enforcement.js';
import { type ProbeResult, tryOut } from './probe.js';
import type { WaitingSandbox } from './recipe.js';
import { RecipeBook, type RecipeEntry } from './recipe-book.js';
import { runCall } from './run-call.js';
import { sandboxEnvironment, sandboxVariableNames } from './sandbox-environment.js';
import { filterFile } from './shared-files.js';
import { requireStrict } from './strict/require-strict.js';
import { type Survey, Surveyor } from './survey.js';
import { Sweep, type Swept } from './sweep.js';

export interface BubblewrapOptions {
  /** How many sandboxes wait for the next call of a policy, 2 unless told; 0 starts each when it is called. */
  readonly warm?: number;
  /** Who says which hosts the processes may reach. */
  readonly network?: NetworkAccess;
}

interface KnownPolicy {
  readonly planner: CommandPlanner;
  readonly surveyor: Surveyor;
  readonly searchPath: string;
  /** Used by its last call. */
  entry?: RecipeEntry;
}

/**
 * Processes that the kernel confines: a namespace of each kind, no capabilities, no network, and of the disk only
 * what was allowed. Where a root was exchanged since the plan was made, nothing runs; what is protected in it is
 * looked up again at the start, so that there may be more of it than in the plan.
 */
export class BubblewrapSandbox implements Sandbox {
  readonly #policies = new WeakMap<SandboxPolicy, Promise<KnownPolicy>>();
  readonly #recipes: RecipeBook;
  readonly #network: NetworkAccess;
  #probed: Promise<ProbeResult> | undefined;

  constructor({ warm = 2, network = new GuardedNetworkAccess() }: BubblewrapOptions = {}) {
    this.#network = network;
    this.#recipes = new RecipeBook(warm);
  }

  async probe({ signal }: { readonly signal: AbortSignal }): Promise<SandboxCapabilities> {
    signal.throwIfAborted();
    this.#probed ??= tryOut();
    const result = await this.#probed;
    if ('problem' in result) {
      return {
        kernel: false,
        enforcement: { ...NOTHING_ENFORCED, backend: BACKEND, reasons: [result.problem] },
      };
    }
    return {
      kernel: true,
      enforcement: kernelEnforcement({ ...result.facts, isExecChecked: true, notes: [] }),
    };
  }

  async plan(policy: SandboxPolicy, command: ProcessCommand): Promise<ProcessPlan> {
    const { planner, surveyor } = await this.#know(policy);
    const argv = [...planner.plan(command)];
    const { confinement } = surveyor.survey();
    requireBwrap(confinement);
    const env = [...sandboxVariableNames(policy.permissions)];
    const reading = planner.read(command);
    return deepFreeze({ argv, ...reading, cwd: policy.workspace, env, policy, confined: true, confinement });
  }

  async run(plan: ProcessPlan, context: ProcessContext): Promise<ProcessOutcome> {
    if (context.signal.aborted) throw cancelled();
    if (!existsSync(plan.cwd)) throw startError(undefined, plan);
    const known = await this.#know(plan.policy);
    const survey = known.surveyor.survey();
    checkUnchanged(plan.confinement, survey.confinement);
    const entry = this.#entryFor(plan, survey, known);
    const sweep = sweepAfter(known.surveyor, survey, context);
    const onSandbox = (sandbox: WaitingSandbox) => sweep.watch(sandbox.process);
    const call = () => runCall(entry, { plan, context, onSandbox });
    const { ended, swept } = await withSweep(sweep, call);
    const { sandbox, wasOutOfMemory, ...end } = ended;
    const isLost = end.exitCode !== 0 && showsNothing(survey.confinement);
    if (swept.said.length > 0) known.surveyor.forget();
    const taken = swept.said.map((text) => `fsWrite: ${text}`);
    const happened = [...taken, ...(sandbox.wayOut?.denials ?? []), ...(isLost ? [NOTHING_SHOWN] : [])];
    const enforcement = kernelEnforcement({
      isExecChecked: isExecChecked(plan),
      isStrict: survey.confinement.strict !== undefined,
      hasFilter: filterFile() !== undefined,
      cgroup: sandbox.cgroup,
      limitsPids: sandbox.limitsPids,
      notes: [...survey.confinement.notes, ...(wasOutOfMemory ? [OUT_OF_MEMORY] : []), ...happened],
    });
    const said = happened.map((text) => `\n[toolgate: ${text}]`).join('');
    const exitCode = end.exitCode === 0 && !swept.isClean ? NOT_CLEAN : end.exitCode;
    return { ...end, exitCode, output: `${end.output}${said}`, enforcement };
  }

  /** Ends the sandboxes that wait for calls; they end with this process, too. */
  async close(): Promise<void> {
    await this.#recipes.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #entryFor(plan: ProcessPlan, survey: Survey, known: KnownPolicy): RecipeEntry {
    const bwrap = requireBwrap(survey.confinement);
    const env = sandboxEnvironment(plan.policy, known.searchPath);
    const entry = this.#recipes.find({ bwrap, plan, survey, env, network: this.#network });
    if (known.entry !== entry) known.entry?.pool.drain();
    known.entry = entry;
    return entry;
  }

  /** Kept for each policy, so that the roots of its paths stay what they were when it was first used. */
  async #know(policy: SandboxPolicy): Promise<KnownPolicy> {
    const known = this.#policies.get(policy) ?? study(policy);
    this.#policies.set(policy, known);
    try {
      return await known;
    } catch (error) {
      this.#policies.delete(policy);
      throw error;
    }
  }
}

const OUT_OF_MEMORY = 'memory: ended by the memory limit';
const NOTHING_SHOWN = 'fsRead: no paths are listed for this tool, so the workspace is empty for it';

/** Whatever a program says of itself, it did not do well if it left something that could not be taken away. */
const NOT_CLEAN = 1;

function sweepAfter(surveyor: Surveyor, survey: Survey, { outputFile }: ProcessContext): Sweep {
  const folder = outputFile === undefined ? undefined : dirname(outputFile);
  return new Sweep({ before: survey.guards, look: () => surveyor.guardsAfter(survey), folder });
}

/** However a call ends, what it made under protected names is taken away before anybody learns of that. */
async function withSweep<T>(sweep: Sweep, call: () => Promise<T>): Promise<{ ended: T; swept: Swept }> {
  let ended: T;
  try {
    ended = await call();
  } catch (error) {
    sweep.finish();
    throw error;
  }
  return { ended, swept: sweep.finish() };
}

async function study(policy: SandboxPolicy): Promise<KnownPolicy> {
  if (policy.permissions.strict) await requireStrict();
  const [planner, surveyor] = await Promise.all([
    CommandPlanner.create(policy, { contained: true }),
    Surveyor.create(policy),
  ]);
  return { planner, surveyor, searchPath: BinaryResolver.for(policy).searchPath };
}

function requireBwrap({ writeRoots }: Confinement): BwrapBinary {
  const bwrap = findBwrap();
  if (typeof bwrap === 'string') {
    throw new DeniedError(`The process is refused: ${bwrap}`, 'EXECUTION.SANDBOX.UNAVAILABLE');
  }
  if (writeRoots.some((root) => isInside(bwrap.path, root))) {
    throw new DeniedError(
      `The process is refused: it could write "${bwrap.path}", which is what confines it`,
    );
  }
  return bwrap;
}

/** What was approved is where it may go; a root that leads elsewhere by now was not. */
function checkUnchanged(planned: Confinement | undefined, now: Confinement): void {
  const isSame = (left: readonly string[] = [], right: readonly string[] = []) =>
    left.join('\0') === right.join('\0');
  if (isSame(planned?.readRoots, now.readRoots) && isSame(planned?.writeRoots, now.writeRoots)) return;
  throw new DeniedError(
    'not run: the folders that this process may use changed since it was planned; ask again',
    'EXECUTION.APPROVAL.STALE',
  );
}

function showsNothing({ readRoots, writeRoots }: Confinement): boolean {
  return readRoots.length === 0 && writeRoots.length === 0;
}
