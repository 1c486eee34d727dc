import type { InputValues, Workflow } from '../domain/workflow.js';
import type { Secret } from '../ports/run-journal.js';

/** Variables that tools are often given and that hide nothing: to blot out `/root` in every path helps nobody. */
const NO_SECRETS = new Set(
  'CI COLORTERM EDITOR HOME LANG LANGUAGE LOGNAME NODE_ENV PATH PWD SHELL TERM TMPDIR TZ USER'.split(' '),
);

/** Where the keys of the built-in providers are; a step may name another place with `api_key_env`. */
const PROVIDER_KEYS = [
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_COMPATIBLE_API_KEY',
  'OLLAMA_API_KEY',
];

/** The values of a run that must never be written down: secret inputs, providers' keys, what tools are given. */
export function secretsOf(
  workflow: Workflow,
  inputs: InputValues,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  const fromInputs = workflow.inputs.flatMap(({ name, secret }) => {
    const value = inputs[name];
    return secret && value !== undefined ? [{ name: `inputs.${name}`, value: String(value) }] : [];
  });
  const names = new Set([
    ...workflow.tools.flatMap(({ restrictions }) => restrictions.env ?? []),
    ...keyNames(workflow),
  ]);
  const fromEnv = [...names].flatMap((name) => {
    const value = env[name];
    const isOrdinary = NO_SECRETS.has(name) || name.startsWith('LC_');
    return value && !isOrdinary ? [{ name: `env.${name}`, value }] : [];
  });
  return [...fromInputs, ...fromEnv];
}

function keyNames({ steps }: Workflow): readonly string[] {
  const named = steps.flatMap(({ options }) =>
    typeof options.api_key_env === 'string' ? [options.api_key_env] : [],
  );
  return [...PROVIDER_KEYS, ...named];
}
