import type { ContainerOptions } from '../container.js';
import { suggestName } from '../domain/closest.js';
import { ToolgateError } from '../domain/errors.js';
import { isJsonObject } from '../domain/json.js';

/** What is wrong with the value of an option, in words that follow its name. */
type Check = (value: unknown) => string | undefined;

const CHECKS: Readonly<Record<keyof ContainerOptions, Check>> = {
  journal: oneOf('memory', 'file'),
  workspace: (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a path'),
  approve: (value) =>
    value === 'all' || Array.isArray(value) ? undefined : 'must be "all" or a list of tools',
  terminal: oneOf('own', 'controlling'),
  approvals: (value) =>
    isJsonObject(value) && 'gate' in value
      ? undefined
      : oneOf('terminal', 'later', 'terminal-or-later')(value),
  sandbox: oneOf('system', 'process'),
  auditTransports: (value) => (Array.isArray(value) ? undefined : 'must be a list of winston transports'),
};

/** Throws for options that cannot be meant: who mistypes `journal` would otherwise lose the record of a run. */
export function checkContainerOptions(options: unknown): void {
  if (!isJsonObject(options)) throw invalid(['takes its options as one object']);
  const known = Object.keys(CHECKS);
  const problems = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(CHECKS, name)) return [`has no option "${name}" (${suggestName(name, known)})`];
    const problem = value === undefined ? undefined : CHECKS[name as keyof ContainerOptions](value);
    return problem === undefined ? [] : [`got an option that cannot be: "${name}" ${problem}`];
  });
  if (problems.length > 0) throw invalid(problems);
}

function oneOf(...choices: readonly string[]): Check {
  return (value) => {
    if (choices.some((choice) => choice === value)) return undefined;
    const all = choices.map((choice) => `"${choice}"`).join(' or ');
    return typeof value === 'string' ? `is "${value.slice(0, 40)}", must be ${all}` : `must be ${all}`;
  };
}

function invalid(problems: readonly string[]): ToolgateError {
  return new ToolgateError('USER.ARGUMENT.INVALID', `createContainer ${problems.join('; ')}`);
}
