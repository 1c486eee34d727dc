/** Who holds a restriction: the kernel, a check in our own process, or nobody. */
export type Layer = 'kernel' | 'in-process' | 'none';

/** What was enforced for one call, layer by layer, so that a result never promises more than was true. */
export interface Enforcement {
  readonly backend: string;
  readonly fsRead: Layer;
  readonly fsWrite: Layer;
  readonly exec: Layer;
  readonly network: Layer;
  readonly memory: Layer;
  readonly pids: Layer;
  readonly killTree: Layer;
  readonly env: Layer;
  /** Why a layer is weaker than it could be, in words. */
  readonly reasons: readonly string[];
}

/** Nothing ran, so nothing had to be held. */
export const NOTHING_ENFORCED: Enforcement = Object.freeze({
  backend: 'none',
  fsRead: 'none',
  fsWrite: 'none',
  exec: 'none',
  network: 'none',
  memory: 'none',
  pids: 'none',
  killTree: 'none',
  env: 'none',
  reasons: Object.freeze([]),
});
