import { messageOf } from '../../../domain/errors.js';
import type { Sandbox } from '../../../ports/sandbox.js';
import { judge, type TrialResult, untried } from './judge.js';
import type { Stage } from './stage.js';
import type { PreparedTrial, Trial } from './trial.js';

/** Longer than any of them needs on a slow machine. */
const TRIAL_MS = 20_000;

export interface Scene {
  readonly sandbox: Sandbox;
  readonly stage: Stage;
  readonly signal: AbortSignal;
}

/** Tries each escape for real, one after the other: the next one must not see the traps of the last. */
export async function runTrials(trials: readonly Trial[], scene: Scene): Promise<readonly TrialResult[]> {
  const results: TrialResult[] = [];
  for (const trial of trials) {
    scene.signal.throwIfAborted();
    results.push(await runTrial(trial, scene));
  }
  return results;
}

async function runTrial(trial: Trial, { sandbox, stage, signal }: Scene): Promise<TrialResult> {
  let prepared: PreparedTrial | undefined;
  try {
    prepared = await trial.prepare(stage);
    const plan = await sandbox.plan(stage.policy, prepared.command);
    const outcome = await sandbox.run(plan, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TRIAL_MS)]),
    });
    const sight = await prepared.look(outcome);
    return judge(trial, sight, { enforcement: outcome.enforcement, confined: plan.confined });
  } catch (error) {
    if (signal.aborted) throw error;
    return untried(trial, messageOf(error));
  } finally {
    await prepared?.close?.();
  }
}
