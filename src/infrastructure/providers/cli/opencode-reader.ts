import type { JsonObject } from '../../../domain/json.js';
import { addUsage, NO_USAGE, type Usage } from '../../../domain/message.js';
import { type CliEvent, type CliReader, SERVER } from './cli-driver.js';
import { numberAt, objectAt, textAt } from './json-values.js';
import { OwnTools } from './own-tools.js';

const OURS = `${SERVER}_`;
/** How its errors begin where a tool did not run. */
const REFUSAL =
  /^(?:Model tried to call unavailable tool |The user rejected permission to use |The user has specified a rule which prevents )/;

/** Reads `run --format json`. */
export class OpencodeReader implements CliReader {
  readonly #own = new OwnTools();
  #usage: Usage = NO_USAGE;

  read(line: JsonObject): readonly CliEvent[] {
    const session: CliEvent = { kind: 'session', id: textAt(line, 'sessionID') };
    return [session, ...this.#read(line, objectAt(line, 'part'))];
  }

  end(): readonly CliEvent[] {
    return this.#own.left();
  }

  #read(line: JsonObject, part: JsonObject): readonly CliEvent[] {
    const text = textAt(part, 'text');
    switch (line.type) {
      case 'text':
        return text === '' ? [] : [{ kind: 'message', text }];
      case 'tool_use':
        return this.#tool(part);
      case 'step_finish':
        return this.#step(part);
      case 'error':
        return [{ kind: 'error', message: errorText(objectAt(line, 'error')) }];
      default:
        return [];
    }
  }

  #tool(part: JsonObject): readonly CliEvent[] {
    const tool = textAt(part, 'tool');
    if (tool.startsWith(OURS)) return [];
    const state = objectAt(part, 'state');
    const id = textAt(part, 'callID');
    this.#own.asked(id, tool, objectAt(state, 'input'));
    if (state.status !== 'completed' && state.status !== 'error') return [];
    return this.#own.ended(id, isRefused(tool, state));
  }

  /** What is used is told for each request to the model. */
  #step(part: JsonObject): readonly CliEvent[] {
    this.#usage = addUsage(this.#usage, usageOf(part));
    const isEnd = part.reason === 'stop' || part.reason === 'length';
    return [{ kind: 'usage', usage: this.#usage }, ...(isEnd ? [{ kind: 'end' } as const] : [])];
  }
}

/** `invalid` is what it makes of a name that does not exist. */
function isRefused(tool: string, state: JsonObject): boolean {
  return tool === 'invalid' || (state.status === 'error' && REFUSAL.test(textAt(state, 'error')));
}

function usageOf(part: JsonObject): Usage {
  const tokens = objectAt(part, 'tokens');
  const cache = objectAt(tokens, 'cache');
  const read = numberAt(cache, 'read');
  const written = numberAt(cache, 'write');
  const costUsd = numberAt(part, 'cost');
  return {
    inputTokens: numberAt(tokens, 'input') + read + written,
    outputTokens: numberAt(tokens, 'output') + numberAt(tokens, 'reasoning'),
    ...(read > 0 ? { cacheReadTokens: read } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(costUsd > 0 ? { costUsd } : {}),
  };
}

function errorText(error: JsonObject): string {
  return (
    textAt(objectAt(error, 'data'), 'message') ||
    textAt(error, 'message') ||
    textAt(error, 'name') ||
    'failed'
  );
}
