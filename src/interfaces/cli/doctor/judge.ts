import type { Enforcement, Layer } from '../../../domain/enforcement.js';
import type { Holder, Sight, Trial } from './trial.js';

/** How an escape ended. Only `held` and `inapplicable` are good news. */
export type Verdict =
  | 'held'
  | 'escaped'
  /** It failed, but nobody here promises that it always will. */
  | 'unheld'
  /** It could not be tried, so nothing is known. */
  | 'untried'
  | 'inapplicable';

export interface TrialResult {
  readonly id: string;
  readonly tried: string;
  readonly verdict: Verdict;
  readonly heldBy: Layer;
  readonly detail?: string;
}

/** What is known of the call in which an escape was tried. */
export interface CallFacts {
  readonly enforcement: Enforcement;
  readonly confined: boolean;
}

/** What was seen beats what is claimed; and what merely did not happen is held only if somebody says so. */
export function judge(trial: Trial, sight: Sight, facts: CallFacts): TrialResult {
  switch (sight.seen) {
    case 'effect':
      return result(trial, 'escaped', 'none', sight.detail);
    case 'inapplicable':
      return result(trial, 'inapplicable', 'none', sight.detail);
    case 'no attempt':
      return result(trial, 'untried', 'none', sight.detail);
    case 'nothing': {
      const heldBy = layerOf(trial.holder, facts);
      if (heldBy !== 'none') return result(trial, 'held', heldBy);
      return result(trial, 'unheld', 'none', 'it failed here, but nothing sees to it');
    }
    default:
      return sight satisfies never;
  }
}

/** For an escape that could not even be started. */
export function untried(trial: Pick<Trial, 'id' | 'tried'>, reason: string): TrialResult {
  return result(trial, 'untried', 'none', reason);
}

/** Whether nothing is left to be desired. */
export function isGood({ verdict }: TrialResult): boolean {
  return verdict === 'held' || verdict === 'inapplicable';
}

function layerOf(holder: Holder, { enforcement, confined }: CallFacts): Layer {
  if (holder === 'confinement') return confined ? 'kernel' : 'none';
  return holder === 'descriptors' ? 'in-process' : enforcement[holder];
}

function result(
  { id, tried }: Pick<Trial, 'id' | 'tried'>,
  verdict: Verdict,
  heldBy: Layer,
  detail?: string,
): TrialResult {
  return { id, tried, verdict, heldBy, ...(detail === undefined ? {} : { detail }) };
}
