import type { JsonObject } from '../../src/domain/json.js';
import { ANTHROPIC_WIRE } from '../support/fake-model/anthropic-wire.js';
import type { ServerWire } from './model-server.js';

/** How a command line is brought to speak to a model on loopback. */
export interface CliFixture extends ServerWire {
  readonly name: string;
  readonly model: string;
  /** Its environment; `home` is a scratch home of its own. */
  readonly env: (url: string, home: string) => Readonly<Record<string, string>>;
  /** Files in that home, by their path in it. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
}

function namesOf({ tools }: JsonObject): readonly string[] {
  return ((tools ?? []) as readonly JsonObject[]).map(({ name }) => String(name));
}

const CLAUDE: CliFixture = {
  name: 'claude',
  model: 'claude-sonnet-4-20250514',
  wire: ANTHROPIC_WIRE,
  isTurn: (path, body) => path.startsWith('/v1/messages?') && namesOf(body).length > 0,
  offered: namesOf,
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
};

export const FIXTURES: readonly CliFixture[] = [CLAUDE];
