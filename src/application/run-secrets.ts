import { referencesOf, renderTemplate, TemplateError } from '../domain/template.js';
import type { AgentStep, InputValues, McpServerDeclaration, Workflow } from '../domain/workflow.js';
import type { Secret } from '../ports/run-journal.js';
import { templateScope } from './template-scope.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that tools are often given and that hide nothing: to blot out `/root` in every path helps nobody. */
const NO_SECRETS = new Set(
  'CI COLORTERM EDITOR HOME LANG LANGUAGE LOGNAME NODE_ENV PATH PWD SHELL TERM TMPDIR TZ USER'.split(' '),
);

/** Variables that a server is sent: a token in a header is as secret as one in its environment. */
function sentVariables({ transport }: McpServerDeclaration): readonly string[] {
  const { type } = transport;
  return variablesIn(type === 'http' ? [transport.url, ...Object.values(transport.headers)] : transport.args);
}

/** The same for a model's API; where it is (`base_url`) is no secret. */
function askedWith({ options: { headers = {}, extra = {} } }: AgentStep): readonly string[] {
  return variablesIn([JSON.stringify(headers), JSON.stringify(extra)]);
}

function variablesIn(templates: readonly string[]): readonly string[] {
  const paths = templates.flatMap(referencesOf).map(({ path }) => path);
  return paths.flatMap(([root, name]) => (root === 'env' && name ? [name] : []));
}

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
export function secretsOf(workflow: Workflow, inputs: InputValues, env: Environment): readonly Secret[] {
  const fromInputs = workflow.inputs.flatMap(({ name, secret }) => {
    const value = inputs[name];
    return secret && value !== undefined ? [{ name: `inputs.${name}`, value: String(value) }] : [];
  });
  const { tools, steps, mcpServers = [] } = workflow;
  const given = [...tools, ...mcpServers].flatMap(({ restrictions }) => restrictions.env ?? []);
  const sent = [...mcpServers.flatMap(sentVariables), ...steps.flatMap(askedWith)];
  const names = new Set([...given, ...sent, ...keyNames(workflow, inputs, env)]);
  const fromEnv = [...names].flatMap((name) => {
    // What is sent as a key is trimmed, and so would come back without the newline that a file's value ends with.
    const value = env[name]?.trim();
    const isOrdinary = NO_SECRETS.has(name) || name.startsWith('LC_');
    return value && !isOrdinary ? [{ name: `env.${name}`, value }] : [];
  });
  return [...fromInputs, ...fromEnv];
}

function keyNames({ steps }: Workflow, inputs: InputValues, env: Environment): readonly string[] {
  const scope = templateScope(inputs, new Map(), env);
  const named = steps.flatMap(({ options: { api_key_env: name } }) => {
    if (typeof name !== 'string') return [];
    try {
      return [renderTemplate(name, scope)];
    } catch (error) {
      // It waits for what an earlier step will say, which nobody knows yet.
      if (error instanceof TemplateError) return [];
      throw error;
    }
  });
  return [...PROVIDER_KEYS, ...named];
}
