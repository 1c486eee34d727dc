import type { JsonObject } from '../../src/domain/json.js';
import { events } from '../support/fake-model/answers.js';
import { ANTHROPIC_WIRE } from '../support/fake-model/anthropic-wire.js';
import { OPENAI_CHAT_WIRE as CHAT_WIRE } from '../support/fake-model/chat-wire.js';
import { GOOGLE_WIRE } from '../support/fake-model/google-wire.js';
import { eventsOf, itemsOf, RESPONSES_WIRE } from '../support/fake-model/responses-wire.js';
import type { ServerWire } from './model-server.js';

/** How a command line is brought to speak to a model on loopback. */
export interface CliFixture extends ServerWire {
  readonly name: string;
  readonly model: string;
  readonly tellsNoUsage?: true;
  /** A tool of its own, which is off. */
  readonly ownTool: { readonly tool: string; readonly arguments: JsonObject };
  /** Its environment; `home` is a scratch home of its own. */
  readonly env: (url: string, home: string) => Readonly<Record<string, string>>;
  /** What the command line is started by, where it needs more words than we give it. */
  readonly wrapper?: (program: string, url: string) => string;
  /** Files in that home, by their path in it. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

function namesOf({ tools }: JsonObject): readonly string[] {
  return ((tools ?? []) as readonly JsonObject[]).map(({ name }) => String(name));
}

/** What any of them would understand, if it ran. */
const TOUCH = { command: 'touch ran', cmd: 'touch ran', description: 'Touch a file' };

const CLAUDE: CliFixture = {
  name: 'claude',
  model: 'claude-sonnet-4-20250514',
  ownTool: { tool: 'Bash', arguments: TOUCH },
  wire: ANTHROPIC_WIRE,
  isTurn: (path, body) => path.startsWith('/v1/messages?') && namesOf(body).length > 0,
  offered: namesOf,
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
};

const NAMESPACE = 'mcp__toolgate';

const CODEX: CliFixture = {
  name: 'codex',
  model: 'gpt-5',
  ownTool: { tool: 'exec_command', arguments: TOUCH },
  wire: RESPONSES_WIRE,
  isTurn: (path) => path.endsWith('/responses'),
  offered: ({ tools }) => {
    const space = (tools as readonly JsonObject[]).find(({ name }) => name === NAMESPACE);
    return space ? namesOf(space) : [];
  },
  // Tools of a server are in a namespace, which a call must name.
  answer: (turn) => {
    const items = itemsOf(turn).map((item) =>
      item.type === 'function_call' ? { ...item, namespace: NAMESPACE } : item,
    );
    return events(eventsOf(items));
  },
  env: (_url, home) => ({ CODEX_HOME: `${home}/.codex`, FAKE_KEY: 'dummy' }),
  files: () => ({ '.codex/.keep': '' }),
  wrapper: (program, url) => `#!/bin/sh
if [ "$1" != exec ]; then exec '${program}' "$@"; fi
shift
exec '${program}' exec -c 'model_provider="fake"' \\
  -c 'model_providers.fake={name="fake",base_url="${url}/v1",env_key="FAKE_KEY",wire_api="responses"}' "$@"
`,
};

const GEMINI: CliFixture = {
  name: 'gemini',
  model: 'gemini-2.5-flash',
  ownTool: { tool: 'run_shell_command', arguments: TOUCH },
  wire: GOOGLE_WIRE,
  isTurn: (path, body) => path.includes('enerateContent') && GOOGLE_WIRE.callable(body).length > 0,
  offered: (body) => GOOGLE_WIRE.callable(body),
  env: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
    }),
  }),
};

const OPENCODE: CliFixture = {
  name: 'opencode',
  model: 'fake/fake-model',
  ownTool: { tool: 'bash', arguments: TOUCH },
  wire: CHAT_WIRE,
  isTurn: (_path, body) => CHAT_WIRE.callable(body).length > 0,
  offered: (body) => CHAT_WIRE.callable(body),
  env: (_url, home) => ({ XDG_CONFIG_HOME: `${home}/.config`, OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  files: (url) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { 'fake-model': { tool_call: true } },
        },
      },
      small_model: 'fake/fake-model',
    }),
  }),
};

const COPILOT: CliFixture = {
  name: 'github_copilot',
  model: 'fake-model',
  ownTool: { tool: 'bash', arguments: TOUCH },
  tellsNoUsage: true,
  wire: CHAT_WIRE,
  isTurn: (_path, body) => CHAT_WIRE.callable(body).length > 0,
  offered: (body) => CHAT_WIRE.callable(body),
  env: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'fake-model',
  }),
};

export const FIXTURES: readonly CliFixture[] = [CLAUDE, CODEX, GEMINI, OPENCODE, COPILOT];
