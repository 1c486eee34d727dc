import { realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ApprovalPolicy, ApprovalRule } from '../../domain/approval.js';
import { ToolgateError } from '../../domain/errors.js';
import { escapeGlob } from '../../domain/rules/glob-text.js';
import { HOST_TEXT } from '../../domain/rules/rule-subject.js';
import { renderTemplate } from '../../domain/template.js';
import { type PatternScope, resolvePattern } from './path-pattern.js';

/** A policy with values filled in and roots followed. Hands each problem to `report`. */
export function resolveApproval(
  policy: ApprovalPolicy,
  scope: PatternScope,
  report: (problem: unknown) => void,
): ApprovalPolicy {
  if (!policy.rules.some(({ when }) => when.paths || when.hosts)) return policy;
  const rules = policy.rules.map((rule) => {
    try {
      return resolveRule(rule, scope);
    } catch (error) {
      report(error);
      return rule;
    }
  });
  return Object.freeze({ ...policy, rules });
}

function resolveRule(rule: ApprovalRule, scope: PatternScope): ApprovalRule {
  const { paths, hosts } = rule.when;
  if (!paths && !hosts) return rule;
  const when = {
    ...rule.when,
    ...(paths ? { paths: [...new Set(paths.flatMap((path) => formsOf(path, rule, scope)))] } : {}),
    ...(hosts ? { hosts: hosts.map((host) => hostOf(host, scope)) } : {}),
  };
  return { ...rule, when };
}

/** A value that is filled in is one name, and no wildcard. */
function hostOf(written: string, { inputs, env }: PatternScope): string {
  const host = renderTemplate(written, { inputs, env });
  const isWider = host.split('*').length > written.split('*').length;
  if (HOST_TEXT.test(host) && !isWider) return host;
  throw new ToolgateError(
    'WORKFLOW.RESTRICTION.INVALID',
    `The host "${written}" of an approval rule is not one host`,
  );
}

/**
 * Plans name files without links. So a pattern whose root is one is followed; for a rule that allows only outside of the
 * workspace, where a link cannot be the agent's own work.
 */
function formsOf(pattern: string, { mode }: ApprovalRule, scope: PatternScope): readonly string[] {
  const absolute = resolvePattern(pattern, scope);
  const root = escapeGlob(scope.workspace);
  const inside = absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : undefined;
  const written = inside ?? absolute;
  const real = followRoot(absolute, scope.workspace);
  if (mode !== 'auto') return real === undefined ? [written] : [written, real];
  return [inside ?? real ?? absolute];
}

/** The pattern with its leading plain names followed; undefined if they lead nowhere else. */
function followRoot(absolute: string, workspace: string): string | undefined {
  const names = absolute.split('/');
  const magic = names.findIndex((name) => /(?<!\\)[*?[{]/.test(name));
  const literal = (magic < 0 ? names : names.slice(0, magic)).join('/').replace(/\\(.)/g, '$1');
  const real = realOf(literal);
  if (real === literal) return undefined;
  const followed = [escapeGlob(real), ...(magic < 0 ? [] : names.slice(magic))].join('/');
  const way = relative(workspace, real);
  return way.startsWith('..') || way === '' ? followed : followed.slice(escapeGlob(workspace).length + 1);
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), relative(parent, path));
  }
}
