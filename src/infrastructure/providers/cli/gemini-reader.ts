import type { JsonObject } from '../../../domain/json.js';
import { type CliEvent, type CliReader, SERVER } from './cli-driver.js';
import { numberAt, objectAt, textAt } from './json-values.js';
import { OwnTools } from './own-tools.js';

const OURS = `mcp_${SERVER}_`;
/** Of its kinds of errors, those of a tool that did not run. */
const REFUSALS: readonly string[] = ['tool_not_registered', 'policy_violation'];

/** Reads `--output-format stream-json`. */
export class GeminiReader implements CliReader {
  readonly #own = new OwnTools();
  #text = '';

  read(line: JsonObject): readonly CliEvent[] {
    switch (line.type) {
      case 'init':
        return [{ kind: 'session', id: textAt(line, 'session_id') }];
      case 'message':
        return line.role === 'assistant' ? this.#hear(textAt(line, 'content')) : [];
      case 'tool_use':
        this.#ask(line);
        return this.#message();
      case 'tool_result':
        return this.#own.ended(textAt(line, 'tool_id'), isRefused(line));
      case 'error':
        return line.severity === 'warning' ? [] : [{ kind: 'error', message: textAt(line, 'message') }];
      case 'result':
        return [usage(objectAt(line, 'stats')), ...this.#message(), result(line)];
      default:
        return [];
    }
  }

  end(): readonly CliEvent[] {
    return this.#own.left();
  }

  #ask(line: JsonObject): void {
    const tool = textAt(line, 'tool_name');
    if (!tool.startsWith(OURS)) this.#own.asked(textAt(line, 'tool_id'), tool, objectAt(line, 'parameters'));
  }

  #hear(text: string): readonly CliEvent[] {
    this.#text += text;
    return text === '' ? [] : [{ kind: 'delta', text }];
  }

  /** It never says where a message ends: a call or the result does. */
  #message(): readonly CliEvent[] {
    const text = this.#text;
    this.#text = '';
    return text === '' ? [] : [{ kind: 'message', text }];
  }
}

function isRefused(line: JsonObject): boolean {
  return line.status === 'error' && REFUSALS.includes(textAt(objectAt(line, 'error'), 'type'));
}

function result(line: JsonObject): CliEvent {
  if (line.status === 'success') return { kind: 'end' };
  return { kind: 'error', message: textAt(objectAt(line, 'error'), 'message') || 'ended with an error' };
}

function usage(stats: JsonObject): CliEvent {
  const read = numberAt(stats, 'cached');
  return {
    kind: 'usage',
    usage: {
      inputTokens: numberAt(stats, 'input_tokens'),
      outputTokens: numberAt(stats, 'output_tokens'),
      ...(read > 0 ? { cacheReadTokens: read } : {}),
    },
  };
}
