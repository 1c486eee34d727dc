import { secretsOf } from '../../application/run-secrets.js';
import { createRedactor, createValueRedactor } from '../../domain/redaction.js';
import type { InputValues, Workflow } from '../../domain/workflow.js';
import type { CliIo } from './cli-io.js';
import type { Redactors } from './output/run-reporter.js';

/** Variables that tools are often given and that hide nothing: to blot out `/root` in every path helps nobody. */
const NO_SECRETS = new Set(
  'CI COLORTERM EDITOR HOME LANG LANGUAGE LOGNAME NODE_ENV PATH PWD SHELL TERM TMPDIR TZ USER'.split(' '),
);

/** What of a run's secrets is kept from the screen. */
export function redactorsOf(workflow: Workflow, inputs: InputValues, io: Pick<CliIo, 'env'>): Redactors {
  const secrets = secretsOf(workflow, inputs, io.env).filter(({ name }) => {
    const variable = /^env\.(.*)$/.exec(name)?.[1];
    return variable === undefined || !(NO_SECRETS.has(variable) || variable.startsWith('LC_'));
  });
  return { people: createRedactor(secrets), data: createValueRedactor(secrets) };
}
