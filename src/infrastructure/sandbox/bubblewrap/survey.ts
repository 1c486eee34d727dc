import { deepFreeze } from '../../../domain/json.js';
import type { Confinement, ConfinementLimits, SandboxPolicy } from '../../../ports/sandbox.js';
import { BinaryResolver } from '../binary-resolver.js';
import { realPathOf } from '../path-containment.js';
import { compilePermissions } from '../permission-patterns.js';
import { identityOf } from './folder-cache.js';
import { type GuardScan, GuardScanner } from './guard-scan.js';
import { heldPaths } from './held-paths.js';
import { HiddenMemory } from './hidden-memory.js';
import { HiddenScanner } from './hidden-scan.js';
import type { Places } from './mount-check.js';
import { passagesOf, withoutSlash } from './mount-plan.js';
import { programsOf } from './programs.js';
import {
  isForeign,
  type Root,
  type RootPatterns,
  type Roots,
  RootWatch,
  resolveRoots,
  rootPatternsOf,
} from './roots.js';
import { type StrictPrograms, strictConfinement, strictProgramsOf } from './strict/strict-programs.js';
import { systemView } from './system-view.js';

/** One look at the disk: what a process of this policy would find now, and how to tell that it changed. */
export interface Survey {
  readonly confinement: Confinement;
  readonly guards: GuardScan;
  readonly roots: readonly Root[];
  /** Every root and all that is held in it, to be compared with what was really mounted. */
  readonly places: Places;
  /** Equal as long as nothing of it changed. */
  readonly key: string;
}

interface Known {
  readonly policy: SandboxPolicy;
  readonly realWorkspace: string;
  readonly patterns: RootPatterns;
  readonly scanners: { readonly guards: GuardScanner; readonly hidden: HiddenScanner };
  readonly programs: readonly string[];
  readonly strict: StrictPrograms | undefined;
}

/** A call is planned and run within this, mostly; a large workspace need not be walked through twice for it. */
const FRESH_MS = 50;
const CPU_SECONDS = 3_600;
const FILE_BYTES = 1024 * 1024 * 1024;
const MAX_SCRATCH_BYTES = 1024 * 1024 * 1024;

/** Works out what a policy comes to on this disk. Changes nothing; what did not change is not worked out again. */
export class Surveyor {
  readonly #watch = new RootWatch();
  readonly #hidden = new HiddenMemory();
  #last: { readonly found: string; readonly survey: Survey } | undefined;

  private constructor(private readonly known: Known) {}

  static async create(policy: SandboxPolicy): Promise<Surveyor> {
    const { permissions, workspace } = policy;
    const realWorkspace = realPathOf(workspace);
    const { read, write, deny, protect } = await compilePermissions(permissions, workspace);
    const scanners = { guards: new GuardScanner(realWorkspace, protect), hidden: new HiddenScanner(deny) };
    const resolver = BinaryResolver.for(policy);
    const strict = permissions.strict ? await strictProgramsOf(policy, resolver) : undefined;
    const isRunnable = (program: string) =>
      strict?.executables.some(({ path, realPath }) => program === path || program === realPath);
    const programs = programsOf(policy, resolver).filter((program) => !isRunnable(program));
    const patterns = {
      read: rootPatternsOf(read, realWorkspace),
      write: rootPatternsOf(write, realWorkspace),
    };
    return new Surveyor({ policy, realWorkspace, patterns, scanners, programs, strict });
  }

  survey(): Survey {
    const roots = resolveRoots(this.known.patterns, (path) => this.#watch.look(path));
    const all = [...roots.read, ...roots.write];
    const guards = this.#guards(roots.write, FRESH_MS);
    const hidden = this.#scanHidden(roots);
    const found = JSON.stringify([roots, guards.key, hidden]);
    const last = this.#last?.found === found ? this.#last : undefined;
    const confinement = last?.survey.confinement ?? this.#confine(roots, guards, hidden);
    const places = placesOf(confinement, all);
    const key = JSON.stringify([found, [...places]]);
    if (last?.survey.key === key) return last.survey;
    const survey = { confinement, guards, roots: all, places, key };
    this.#last = { found, survey };
    return survey;
  }

  /** What is protected below these roots now, when a process has ended. */
  guardsAfter({ roots, confinement: { writeRoots } }: Survey): GuardScan {
    const paths = roots.map(({ path }) => path);
    return this.known.scanners.guards.scanAfter(paths.filter((path) => writeRoots.includes(path)));
  }

  /** What was seen is about to change. */
  forget(): void {
    this.known.scanners.guards.forget();
  }

  #scanHidden({ read, write }: Roots): readonly string[] {
    const visible = [...read, ...write].map(({ path }) => path);
    const hidden = this.known.scanners.hidden.scan(visible, systemPlaces());
    return this.#hidden.complete(
      hidden,
      write.map(({ path }) => path),
    );
  }

  #guards(roots: readonly Root[], maxAgeMs: number): GuardScan {
    return this.known.scanners.guards.scan(
      roots.map(({ path }) => path),
      maxAgeMs,
    );
  }

  #confine(roots: Roots, guards: GuardScan, hidden: readonly string[]): Confinement {
    const { strict } = this.known;
    const { permissions } = this.known.policy;
    const writeRoots = roots.write.map(({ path }) => path).sort();
    const held = heldPaths(guards, writeRoots);
    const users = usersOf([
      ...[...roots.read, ...roots.write].map(({ path }) => path),
      ...this.known.programs,
      ...(strict?.executables ?? []).map(({ realPath }) => realPath),
    ]);
    const readRoots = roots.read.map(({ path }) => path).sort();
    return deepFreeze({
      readRoots,
      writeRoots,
      readOnly: [...held.readOnly],
      hidden: [...hidden],
      programs: [...this.known.programs],
      aliases: this.#aliases(roots),
      network: permissions.hosts.length === 0 ? 'none' : 'proxy',
      users,
      limits: limitsOf(permissions.limits),
      ...(strict ? { strict: strictConfinement(strict, { readRoots, writeRoots }) } : {}),
      notes: [...roots.notes, ...held.notes, ...userNotes(users), ...(strict?.notes ?? [])],
    });
  }

  #aliases({ aliases }: Roots): Confinement['aliases'] {
    const { realWorkspace, policy } = this.known;
    const { workspace } = policy;
    const own = workspace === realWorkspace ? [] : [{ path: workspace, target: realWorkspace }];
    return [...own, ...aliases.filter(({ path }) => path !== workspace)];
  }
}

function systemPlaces(): readonly string[] {
  return systemView().mounts.flatMap(({ kind, path }) => (kind === 'read' ? [path] : []));
}

/** A passage that was exchanged is as bad as a guard that was: what is mounted in it would be held elsewhere. */
function placesOf(confinement: Confinement, roots: readonly Root[]): Places {
  const { readOnly, hidden } = confinement;
  const held = [...passagesOf(confinement), ...readOnly, ...hidden.map(withoutSlash)];
  return new Map([
    ...held.map((path) => [path, identityOf(path)] as const),
    ...roots.map(({ path, identity }) => [path, identity] as const),
  ]);
}

/** Root in a user namespace is nobody to the files of others. */
function usersOf(paths: readonly string[]): Confinement['users'] {
  return process.getuid?.() === 0 && paths.some((path) => isForeign(path, 0)) ? 'all' : 'own';
}

function userNotes(users: Confinement['users']): readonly string[] {
  return users === 'own'
    ? []
    : [
        'fsWrite: files belong to another user than root, so there is no user namespace, and file modes do not count',
      ];
}

/** The limits of a confinement, those that nobody sets included. */
export function limitsOf({ memoryBytes, pids }: SandboxPolicy['permissions']['limits']): ConfinementLimits {
  const scratchBytes = Math.min(Math.ceil(memoryBytes / 2), MAX_SCRATCH_BYTES);
  return { memoryBytes, pids, cpuSeconds: CPU_SECONDS, fileBytes: FILE_BYTES, scratchBytes };
}
