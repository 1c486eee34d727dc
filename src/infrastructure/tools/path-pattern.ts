import { resolve } from 'node:path';
import { ToolgateError } from '../../domain/errors.js';
import { escapeGlob } from '../../domain/rules/glob-text.js';
import { lookUp, parseTemplate, type ReferencePart } from '../../domain/template.js';
import type { InputValues } from '../../domain/workflow.js';

/** What patterns are made absolute with. */
export interface PatternScope {
  /** Absolute and real. */
  readonly workspace: string;
  readonly inputs: InputValues;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const GLOB = /(?<!\\)[*?[{]/;

/** An absolute pattern: values are filled in as plain text, and it begins below the root. */
export function resolvePattern(pattern: string, scope: PatternScope): string {
  const isNegated = pattern.startsWith('!');
  const written = isNegated ? pattern.slice(1) : pattern;
  const filled = parseTemplate(written)
    .map((part) => (part.kind === 'text' ? part.text : escapedValue(part, written, scope)))
    .join('');
  checkForm(filled, pattern);
  if (scope.workspace.includes('\\'))
    throw invalid(pattern, `is in a workspace with a backslash; ${BACKSLASH}`);
  const absolute = resolve(escapeGlob(scope.workspace), filled);
  if (isRoot(absolute))
    throw invalid(pattern, `comes to "${absolute}", which begins at the root of the file system`);
  return isNegated ? `!${absolute}` : absolute;
}

function escapedValue(part: ReferencePart, pattern: string, { inputs, env }: PatternScope): string {
  const value = String(lookUp(part, { inputs, env }));
  const name = part.path.join('.');
  if (value.trim() === '') throw invalid(pattern, `uses {{${name}}}, which is empty`);
  if (/^~(?:\/|$)/.test(value))
    throw invalid(pattern, `uses {{${name}}}, which begins with "~"; ${HOME_HINT}`);
  if (value.includes('\\')) throw invalid(pattern, `uses {{${name}}}, which holds a backslash; ${BACKSLASH}`);
  if (leadsUp(value)) throw invalid(pattern, `uses {{${name}}}, which has a ".." in it; ${UP_HINT}`);
  return escapeGlob(value);
}

// Beside braces some matchers undo one level of escapes, and the next character would come to life.
const BACKSLASH = 'no path in a pattern can';

// Alternatives and sets may spell it as well: `{..,a}`, `[.].`.
const BRACED_UP = /(?:^|[/{,|(!])\.\.(?:$|[/},|)])/;

const UP_HINT = 'it leads out of a folder, so write the folder itself';

const HOME_HINT = 'write the whole path, or {{env.HOME}}/…';

function checkForm(filled: string, pattern: string): void {
  if (filled.trim() === '') throw invalid(pattern, 'is empty');
  if (filled.includes('\0')) throw invalid(pattern, 'holds a NUL character');
  if (filled.startsWith('~'))
    throw invalid(pattern, `begins with "~", which only a shell knows; ${HOME_HINT}`);
  if (leadsUp(filled.replaceAll('\\', '')) || BRACED_UP.test(pattern.replace(/[[\]\\]/g, '')))
    throw invalid(pattern, `has a ".." in it; ${UP_HINT}`);
}

function leadsUp(path: string): boolean {
  return path.split('/').includes('..');
}

function isRoot(pattern: string): boolean {
  const [first = ''] = pattern.slice(1).split('/');
  return first === '' || GLOB.test(first);
}

function invalid(pattern: string, problem: string): ToolgateError {
  return new ToolgateError('WORKFLOW.RESTRICTION.INVALID', `The path pattern "${pattern}" ${problem}`);
}
