import type { NetworkAccess } from '../../../ports/network-access.js';
import type { ProcessPlan } from '../../../ports/sandbox.js';
import type { BwrapBinary } from './bwrap-binary.js';
import { Recipe } from './recipe.js';
import { filterFile } from './shared-files.js';
import type { Survey } from './survey.js';
import { systemView } from './system-view.js';
import { WarmPool } from './warm-pool.js';

/** How to start sandboxes of one kind, and those that wait already. */
export interface RecipeEntry {
  readonly recipe: Recipe;
  readonly pool: WarmPool;
  /** How many calls there were; nobody keeps a spare for the first. */
  calls: number;
}

export interface RecipeOrder {
  readonly bwrap: BwrapBinary;
  readonly plan: ProcessPlan;
  readonly survey: Survey;
  readonly env: Readonly<Record<string, string>>;
  /** Who says which hosts may be reached. */
  readonly network: NetworkAccess;
}

/** Each holds an open file, and up to two processes. */
const MOST = 16;

/** The recipes of the policies that were used last. */
export class RecipeBook {
  readonly #entries = new Map<string, RecipeEntry>();

  constructor(private readonly warm: number) {}

  /** The same recipe as long as everything that a sandbox is made of stays the same, but for its arguments. */
  find(order: RecipeOrder): RecipeEntry {
    const key = keyOf(order);
    const entry = this.#entries.get(key) ?? this.#write(order);
    // The newest stands last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#forgetOldest();
    return entry;
  }

  /** Ends everything that waits. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(closeEntry));
  }

  #write({ bwrap, plan, survey, env, network }: RecipeOrder): RecipeEntry {
    const { confinement, roots, places } = survey;
    const hasFilter = filterFile() !== undefined;
    const request = { confinement, cwd: plan.cwd, env, system: systemView(), hasFilter, knows: bwrap.knows };
    const { permissions } = plan.policy;
    const hosts = confinement.network === 'proxy' ? { hosts: { network, permissions } } : {};
    const recipe = new Recipe({ bwrap, request, roots, places, ...hosts });
    return { recipe, pool: new WarmPool(recipe, this.warm), calls: 0 };
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries;
    if (!oldest || this.#entries.size <= MOST) return;
    this.#entries.delete(oldest[0]);
    void closeEntry(oldest[1]);
  }
}

async function closeEntry({ recipe, pool }: RecipeEntry): Promise<void> {
  await pool.close();
  recipe.close();
}

function keyOf({ plan, survey, env }: RecipeOrder): string {
  const { programs, limits, strict } = survey.confinement;
  const { hosts, privateHosts } = plan.policy.permissions;
  return JSON.stringify([survey.key, plan.cwd, programs, limits, strict, env, hosts, privateHosts]);
}
