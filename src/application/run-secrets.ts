import type { InputValues, Workflow } from '../domain/workflow.js';
import type { Secret } from '../ports/run-journal.js';

/** The values of a run that must never be written down: secret inputs, and the environment that tools are given. */
export function secretsOf(
  workflow: Workflow,
  inputs: InputValues,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  const fromInputs = workflow.inputs.flatMap(({ name, secret }) => {
    const value = inputs[name];
    return secret && value !== undefined ? [{ name: `inputs.${name}`, value: String(value) }] : [];
  });
  const names = new Set(workflow.tools.flatMap(({ restrictions }) => restrictions.env ?? []));
  const fromEnv = [...names].flatMap((name) => {
    const value = env[name];
    return value ? [{ name: `env.${name}`, value }] : [];
  });
  return [...fromInputs, ...fromEnv];
}
