import { isAbsolute, parse } from 'node:path';
import { DeniedError, ToolgateError } from '../../domain/errors.js';
import { fitsWildcards } from '../../domain/wildcard-match.js';
import { isInside, realPathOf, segmentsOf } from './path-containment.js';

/** One pattern of a policy, compiled. Its root is fixed when it is compiled: a link put there later changes nothing. */
export interface PathPattern {
  readonly source: string;
  /** Where its alternatives begin; each matches nothing outside of these. */
  readonly roots: readonly PatternRoot[];
  /** Whether a path without links fits. */
  matches(realPath: string): boolean;
  /** Whether a path fits as somebody wrote it, links and all. */
  matchesAsWritten(path: string): boolean;
}

/** The part of a pattern that names one place. */
export interface PatternRoot {
  /** As written. */
  readonly path: string;
  /** Without links, as it was when the pattern was compiled. */
  readonly realPath: string;
  /** What matches below it: nothing (only the root itself), everything, or some. */
  readonly covers: 'itself' | 'everything' | 'some';
  /** How many levels below it a match can be. */
  readonly depth: number;
}

type Segment = string | { test(text: string): boolean } | symbol;

interface Row {
  readonly root: readonly string[];
  readonly realRoot: readonly string[];
  readonly rest: readonly Segment[];
}

const MAX_PATTERN_LENGTH = 1024;
const MAX_ALTERNATIVES = 64;
// Such disks take `Secrets` for `secrets`, so a rule has to as well.
const FOLDS_CASE = process.platform === 'darwin' || process.platform === 'win32';

/** What a pattern is for: one that allows must not match too much, one that forbids may match anything. */
type PatternPurpose = 'allow' | 'forbid';

interface PatternScope {
  readonly workspace: string;
  readonly purpose: PatternPurpose;
}

/**
 * Compiles absolute patterns. `*` stays within one name and leaves names that begin with a dot alone, `**` goes
 * through everything; `{a,b}` and `[a-z]` work, extended globs do not.
 */
export async function compilePatterns(
  sources: readonly string[],
  scope: PatternScope,
): Promise<readonly PathPattern[]> {
  return Promise.all(sources.map((source) => compilePattern(source, scope)));
}

/** The part of a pattern before anything that could match more than one name; links are not followed. */
export function literalRootOf(source: string): string {
  const names = source.split('/');
  const magic = names.findIndex((name) => /[*?[\]{}\\!]/.test(name));
  return (magic < 0 ? names : names.slice(0, magic)).join('/') || '/';
}

async function compilePattern(source: string, scope: PatternScope): Promise<PathPattern> {
  checkForm(source);
  const { Minimatch, GLOBSTAR } = await import('minimatch');
  const { set } = new Minimatch(source, {
    noext: true,
    nonegate: true,
    nocomment: true,
    nocase: FOLDS_CASE,
    nocaseMagicOnly: true,
    normalize: FOLDS_CASE,
    optimizationLevel: 0,
    braceExpandMax: MAX_ALTERNATIVES,
  });
  const rows = set.map((segments) => toRow(source, segments as readonly Segment[], scope));
  const fits = (path: string, rootOf: (row: Row) => readonly string[]) => {
    const segments = segmentsOf(path);
    return rows.some((row) => matchSegments([...rootOf(row), ...row.rest], segments, GLOBSTAR));
  };
  return {
    source,
    roots: rows.map((row) => rootOfRow(row, GLOBSTAR)),
    matches: (realPath) => fits(realPath, (row) => row.realRoot),
    matchesAsWritten: (path) => fits(path, (row) => row.root),
  };
}

function rootOfRow({ root, realRoot, rest }: Row, anyDepth: symbol): PatternRoot {
  const isEverything = rest.length > 0 && rest.every((segment) => segment === anyDepth);
  return {
    path: `/${root.join('/')}`,
    realPath: `/${realRoot.join('/')}`,
    covers: rest.length === 0 ? 'itself' : isEverything ? 'everything' : 'some',
    depth: rest.includes(anyDepth) ? Number.POSITIVE_INFINITY : rest.length,
  };
}

function checkForm(source: string): void {
  const problem =
    (source.length > MAX_PATTERN_LENGTH && `is longer than ${MAX_PATTERN_LENGTH} characters`) ||
    (source.includes('\0') && 'contains a NUL') ||
    (!isAbsolute(source) && 'is not absolute') ||
    (source.split('/').includes('..') && 'contains ".."') ||
    (/\{[^{}]*\.\.[^{}]*\}/.test(source) && 'contains a range; list the alternatives') ||
    (countAlternatives(source) > MAX_ALTERNATIVES && `has more than ${MAX_ALTERNATIVES} alternatives`);
  if (problem) throw invalid(source, problem);
}

/** At least as many as there are: nested groups are multiplied too. */
function countAlternatives(source: string): number {
  const open: number[] = [];
  let product = 1;
  for (const character of source) {
    if (character === '{') open.push(1);
    else if (character === ',' && open.length > 0) open[open.length - 1] = (open.at(-1) ?? 1) + 1;
    else if (character === '}') product *= open.pop() ?? 1;
  }
  return product;
}

function toRow(source: string, segments: readonly Segment[], scope: PatternScope): Row {
  const names = segments.filter((segment) => segment !== '' && segment !== '.');
  if (names.includes('..')) throw invalid(source, 'contains ".."');
  const magic = names.findIndex((segment) => typeof segment !== 'string');
  const root = (magic < 0 ? names : names.slice(0, magic)) as string[];
  const path = `${parse(scope.workspace).root}${root.join('/')}`;
  // Once: what is checked is what is used, though somebody may be putting links there meanwhile.
  const real = realPathOf(path);
  if (scope.purpose === 'allow') checkRoot(source, { root: path, real }, scope.workspace);
  return { root, realRoot: segmentsOf(real), rest: names.slice(root.length) };
}

/**
 * Roots may be reached through links, as /tmp is on some systems. But a link inside of the workspace may be the
 * agent's own work: a root that is written as inside must really be there.
 */
function checkRoot(
  source: string,
  { root, real }: { readonly root: string; readonly real: string },
  workspace: string,
): void {
  if ([root, real].some((path) => parse(path).root === path)) {
    throw invalid(source, 'begins at the root of the file system');
  }
  const realWorkspace = realPathOf(workspace);
  const isWrittenInside = isInside(root, workspace) || isInside(root, realWorkspace);
  if (!isWrittenInside || isInside(real, realWorkspace)) return;
  throw new DeniedError(
    `"${root}" is a link that leads out of the workspace, to "${real}"; if that is meant, list that path itself`,
  );
}

function matchSegments(pattern: readonly Segment[], path: readonly string[], anyDepth: symbol): boolean {
  return fitsWildcards(pattern, path, { isAny: (segment) => segment === anyDepth, fits: matchSegment });
}

function matchSegment(segment: Segment, name: string): boolean {
  if (typeof segment === 'string') return fold(segment) === fold(name);
  return typeof segment === 'object' && segment.test(name);
}

function fold(name: string): string {
  return FOLDS_CASE ? name.normalize('NFC').toLowerCase() : name;
}

function invalid(source: string, problem: string): ToolgateError {
  return new ToolgateError('WORKFLOW.RESTRICTION.INVALID', `The path pattern "${source}" ${problem}`);
}
