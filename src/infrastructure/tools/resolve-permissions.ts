import { relative, resolve } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';
import {
  DEFAULT_LIMITS,
  type Limits,
  type Permissions,
  type Restrictions,
} from '../../domain/restrictions.js';
import { escapeGlob } from '../../domain/rules/glob-text.js';
import { lookUp, referencesOf, renderTemplate } from '../../domain/template.js';
import type { ToolDeclaration } from '../../domain/workflow.js';
import { type PatternScope, resolvePattern } from './path-pattern.js';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOST = /^[^\s/@?#\\]+$/;
const ADDRESS_RANGE = /^[0-9a-f.:]+\/\d{1,3}$/i;

/**
 * What a tool may do, with every default filled in: what its declaration does not name is not allowed. Hands each
 * problem to `report`, so that all of them can be told at once.
 */
export function resolvePermissions(
  { kind, restrictions }: Pick<ToolDeclaration, 'kind' | 'restrictions'>,
  scope: PatternScope,
  report: (problem: unknown) => void,
): Permissions {
  const { paths, commands, hosts, privateHosts, env, protect } = restrictions;
  const each = <T>(list: readonly T[] | undefined, resolveOne: (item: T) => string): readonly string[] =>
    (list ?? []).flatMap((item) => attempt(() => [resolveOne(item)], report) ?? []);
  const patterns = (list: readonly string[] | undefined) => each(list, (one) => resolvePattern(one, scope));
  const isImplied = kind.type === 'command' && !paths;
  const implied = isImplied ? (attempt(() => impliedPaths(kind.command, scope), report) ?? []) : [];
  const listed = (list: readonly string[]) => each(list, (one) => filled(one, 'commands', scope));
  return Object.freeze({
    read: paths ? patterns(paths.read) : implied,
    write: paths ? patterns(paths.write) : implied,
    deny: patterns(paths?.deny),
    protect: patterns(protect),
    commands: commands === 'any' ? commands : commands ? listed(commands) : defaultCommands(kind.type),
    hosts: each(hosts, (one) => hostOf(one, 'hosts', scope)),
    privateHosts: each(privateHosts, (one) => hostOf(one, 'private_hosts', scope)),
    env: each(env, envName),
    strict: attempt(() => strictOf(restrictions), report) ?? true,
    limits: resolveLimits(restrictions),
  });
}

function attempt<T>(work: () => T, report: (problem: unknown) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    report(error);
    return undefined;
  }
}

function defaultCommands(type: ToolDeclaration['kind']['type']): Permissions['commands'] {
  return type === 'command' ? 'system' : [];
}

/** A command tool without `paths` has the workspace, and the paths that its own template is given. */
function impliedPaths(command: string, scope: PatternScope): readonly string[] {
  const named = referencesOf(command)
    .filter(({ path }) => path[0] === 'inputs')
    .map((reference) => String(lookUp(reference, { inputs: scope.inputs })))
    .filter((value) => leadsOutside(value, scope.workspace));
  const roots = [scope.workspace, ...named.map((value) => resolve(scope.workspace, value))];
  return [...new Set(roots)].map((root) => resolvePattern(`${escapeGlob(root)}/**`, scope));
}

/** Only what looks like a path and is not in the workspace anyway; any text could be a file name inside of it. */
function leadsOutside(value: string, workspace: string): boolean {
  if (!/^(?:\/|\.\.?(?:\/|$))/.test(value) || /[\0\n]/.test(value)) return false;
  return relative(workspace, resolve(workspace, value)).startsWith('..');
}

function hostOf(written: string, key: 'hosts' | 'private_hosts', scope: PatternScope): string {
  const host = filled(written, key, scope);
  const isRange = key === 'private_hosts' && ADDRESS_RANGE.test(host);
  if (HOST.test(host) || isRange) return host;
  throw invalid(key, written, 'is not a host; write its name or address alone, without scheme and path');
}

function envName(name: string): string {
  if (ENV_NAME.test(name)) return name;
  throw invalid('env', name, 'is not the name of an environment variable');
}

function strictOf({ strict = false, commands }: Restrictions): boolean {
  if (!strict || Array.isArray(commands)) return strict;
  throw invalid('strict', 'true', 'needs a list of commands: only those will exist');
}

/** A value that is filled in is one name, and no wildcard. */
function filled(written: string, key: string, { inputs, env }: PatternScope): string {
  for (const reference of referencesOf(written)) {
    const value = String(lookUp(reference, { inputs, env }));
    const name = `{{${reference.path.join('.')}}}`;
    if (value.trim() === '') throw invalid(key, written, `uses ${name}, which is empty`);
    if (value.includes('*')) throw invalid(key, written, `uses ${name}, which holds a "*"`);
  }
  const text = renderTemplate(written, { inputs, env });
  if (text.trim() === '') throw invalid(key, written, 'is empty');
  return text;
}

function resolveLimits({ memoryBytes, pids, maxOutputBytes }: Restrictions): Limits {
  return Object.freeze({
    memoryBytes: memoryBytes ?? DEFAULT_LIMITS.memoryBytes,
    pids: pids ?? DEFAULT_LIMITS.pids,
    maxOutputBytes: maxOutputBytes ?? DEFAULT_LIMITS.maxOutputBytes,
  });
}

function invalid(key: string, written: string, problem: string): ToolgateError {
  return new ToolgateError('WORKFLOW.RESTRICTION.INVALID', `restrictions.${key}: "${written}" ${problem}`);
}
