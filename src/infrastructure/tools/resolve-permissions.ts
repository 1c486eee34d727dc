import { relative, resolve } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';
import {
  DEFAULT_LIMITS,
  type Limits,
  type Permissions,
  type Restrictions,
} from '../../domain/restrictions.js';
import { lookUp, referencesOf, renderTemplate } from '../../domain/template.js';
import type { ToolDeclaration } from '../../domain/workflow.js';
import { escapeGlob, type PatternScope, resolvePattern } from './path-pattern.js';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOST = /^[^\s/@?#\\]+$/;

/** What a tool may do, with every default filled in: what its declaration does not name is not allowed. */
export function resolvePermissions(
  { kind, restrictions }: Pick<ToolDeclaration, 'kind' | 'restrictions'>,
  scope: PatternScope,
): Permissions {
  const { paths } = restrictions;
  const implied = kind.type === 'command' && !paths ? impliedPaths(kind.command, scope) : [];
  const patterns = (list: readonly string[] = []) => list.map((pattern) => resolvePattern(pattern, scope));
  return Object.freeze({
    read: paths ? patterns(paths.read) : implied,
    write: paths ? patterns(paths.write) : implied,
    deny: patterns(paths?.deny),
    protect: patterns(restrictions.protect),
    commands: resolveCommands(restrictions, kind.type, scope),
    hosts: resolveHosts(restrictions.hosts, 'hosts', scope),
    privateHosts: resolveHosts(restrictions.privateHosts, 'private_hosts', scope),
    env: checkedEnv(restrictions.env),
    limits: resolveLimits(restrictions),
  });
}

/** A command tool without `paths` has the workspace, and the paths that its own template is given. */
function impliedPaths(command: string, scope: PatternScope): readonly string[] {
  const named = referencesOf(command)
    .filter(({ path }) => path[0] === 'inputs')
    .map((reference) => String(lookUp(reference, { inputs: scope.inputs })))
    .filter((value) => leadsOutside(value, scope.workspace));
  const roots = [scope.workspace, ...named.map((value) => resolve(scope.workspace, value))];
  return [...new Set(roots)].map((root) => resolvePattern(`${escapeTemplate(escapeGlob(root))}/**`, scope));
}

/** Only what looks like a path and is not in the workspace anyway; any text could be a file name inside of it. */
function leadsOutside(value: string, workspace: string): boolean {
  if (!/^(?:\/|\.\.?(?:\/|$))/.test(value) || /[\0\n]/.test(value)) return false;
  return relative(workspace, resolve(workspace, value)).startsWith('..');
}

function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '{{"{{"}}');
}

function resolveCommands(
  { commands }: Restrictions,
  type: ToolDeclaration['kind']['type'],
  scope: PatternScope,
): Permissions['commands'] {
  if (commands === undefined) return type === 'command' ? 'system' : [];
  if (commands === 'any') return 'any';
  return commands.map((command) => filled(command, 'commands', scope));
}

function resolveHosts(hosts: readonly string[] = [], key: string, scope: PatternScope): readonly string[] {
  return hosts.map((written) => {
    const host = filled(written, key, scope);
    if (!HOST.test(host)) throw invalid(key, written, 'is not a host; write its name or address alone');
    if (host === '*') throw invalid(key, written, 'allows every host; list the ones that are meant');
    return host;
  });
}

function checkedEnv(names: readonly string[] = []): readonly string[] {
  for (const name of names) {
    if (!ENV_NAME.test(name)) throw invalid('env', name, 'is not the name of an environment variable');
  }
  return names;
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
