import type { JsonObject } from '../../../domain/json.js';
import { type CliEvent, type CliReader, SERVER } from './cli-driver.js';
import { numberAt, objectAt, textAt } from './json-values.js';

/** Items that do nothing to the machine; an error among them is one that codex lives with. */
const HARMLESS = new Set(['agent_message', 'reasoning', 'error', 'todo_list', 'plan']);

/** Reads `exec --json`. */
export class CodexReader implements CliReader {
  readonly #seen = new Set<string>();
  #lastError = '';

  read(line: JsonObject): readonly CliEvent[] {
    switch (line.type) {
      case 'thread.started':
        return [{ kind: 'session', id: textAt(line, 'thread_id') }];
      case 'item.started':
      case 'item.completed':
        return this.#item(objectAt(line, 'item'), line.type === 'item.completed');
      case 'turn.completed':
        return [usage(objectAt(line, 'usage')), { kind: 'end' }];
      case 'turn.failed':
        return [{ kind: 'error', message: textAt(objectAt(line, 'error'), 'message') || this.#lastError }];
      case 'error':
        // Also said before each new attempt, of which one may succeed.
        this.#lastError = textAt(line, 'message');
        return [];
      default:
        return [];
    }
  }

  #item(item: JsonObject, isComplete: boolean): readonly CliEvent[] {
    const text = textAt(item, 'text');
    if (item.type === 'agent_message') return isComplete && text !== '' ? [{ kind: 'message', text }] : [];
    const type = textAt(item, 'type');
    const isOurs = type === 'mcp_tool_call' && item.server === SERVER;
    const id = textAt(item, 'id');
    if (HARMLESS.has(type) || isOurs || this.#seen.has(id)) return [];
    this.#seen.add(id);
    return [{ kind: 'own-tool', tool: toolOf(type, item), arguments: argumentsOf(item) }];
  }
}

function toolOf(type: string, item: JsonObject): string {
  return type === 'mcp_tool_call' ? `${textAt(item, 'server')}.${textAt(item, 'tool')}` : type;
}

function argumentsOf(item: JsonObject): JsonObject {
  const { command, changes, query, arguments: args } = item;
  const known = Object.entries({ command, changes, query, arguments: args });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as JsonObject;
}

function usage(used: JsonObject): CliEvent {
  const read = numberAt(used, 'cached_input_tokens');
  const written = numberAt(used, 'cache_write_input_tokens');
  return {
    kind: 'usage',
    usage: {
      inputTokens: numberAt(used, 'input_tokens'),
      outputTokens: numberAt(used, 'output_tokens'),
      ...(read > 0 ? { cacheReadTokens: read } : {}),
      ...(written > 0 ? { cacheWriteTokens: written } : {}),
    },
  };
}
