import type { JsonObject } from '../../../domain/json.js';
import { addUsage, NO_USAGE, type Usage } from '../../../domain/message.js';
import { type CliEvent, type CliReader, SERVER } from './cli-driver.js';
import { listAt, numberAt, objectAt, textAt } from './json-values.js';
import { OwnTools } from './own-tools.js';

const OURS = `mcp__${SERVER}__`;
/** How its errors begin where a tool did not run. */
const REFUSAL =
  /^(?:<tool_use_error>Error: No such tool available: |Claude requested permissions to |Permission to use \S+ has been denied)/;

/** Reads `--output-format stream-json`. */
export class ClaudeReader implements CliReader {
  /** What it has, by its own account; of any other name only the result tells whether the model made it up. */
  #tools: ReadonlySet<string> = new Set();
  /** By message: a message comes once for each of its blocks, always with the same usage. */
  readonly #usage = new Map<string, Usage>();
  readonly #own = new OwnTools();

  read(line: JsonObject): readonly CliEvent[] {
    switch (line.type) {
      case 'system':
        return line.subtype === 'init' ? this.#begin(line) : [];
      case 'stream_event':
        return delta(objectAt(line, 'event'));
      case 'assistant':
        return this.#message(objectAt(line, 'message'));
      case 'user':
        return listAt(objectAt(line, 'message'), 'content').flatMap((block) => this.#toolResult(block));
      case 'result':
        return result(line);
      default:
        return [];
    }
  }

  end(): readonly CliEvent[] {
    return this.#own.left();
  }

  #begin(line: JsonObject): readonly CliEvent[] {
    const tools = Array.isArray(line.tools) ? line.tools.map(String) : [];
    this.#tools = new Set(tools);
    const own = tools.filter((name) => !name.startsWith(OURS));
    const ours = listAt(line, 'mcp_servers').find(({ name }) => name === SERVER);
    const status = ours ? textAt(ours, 'status') : 'connected';
    return [
      { kind: 'session', id: textAt(line, 'session_id') },
      ...(own.length > 0 ? [warning(`has tools of its own: ${own.join(', ')}`)] : []),
      ...(status === 'connected' ? [] : [noTools(status)]),
    ];
  }

  #message(message: JsonObject): readonly CliEvent[] {
    const content = listAt(message, 'content');
    this.#usage.set(textAt(message, 'id'), usageOf(objectAt(message, 'usage')));
    const text = content
      .filter(({ type }) => type === 'text')
      .map((block) => textAt(block, 'text'))
      .join('');
    const used = content.filter(({ type }) => type === 'tool_use');
    return [
      ...(text === '' ? [] : [{ kind: 'message', text } as const]),
      ...used.flatMap((block) => this.#ownTool(block)),
      { kind: 'usage', usage: [...this.#usage.values()].reduce(addUsage, NO_USAGE) },
    ];
  }

  /** One that it has is told of at once: it may yet be ended before it runs. */
  #ownTool(block: JsonObject): readonly CliEvent[] {
    const tool = textAt(block, 'name');
    if (tool.startsWith(OURS)) return [];
    const args = objectAt(block, 'input');
    if (this.#tools.has(tool)) return [{ kind: 'own-tool', tool, arguments: args }];
    this.#own.asked(textAt(block, 'id'), tool, args);
    return [];
  }

  #toolResult(block: JsonObject): readonly CliEvent[] {
    if (block.type !== 'tool_result') return [];
    const isRefused = block.is_error === true && REFUSAL.test(contentOf(block));
    return this.#own.ended(textAt(block, 'tool_use_id'), isRefused);
  }
}

/** A text, or blocks of it. */
function contentOf(block: JsonObject): string {
  return (
    textAt(block, 'content') ||
    listAt(block, 'content')
      .map((part) => textAt(part, 'text'))
      .join('')
  );
}

function delta(event: JsonObject): readonly CliEvent[] {
  const text = textAt(objectAt(event, 'delta'), 'text');
  return event.type === 'content_block_delta' && text !== '' ? [{ kind: 'delta', text }] : [];
}

/** A failed request is a `success` with `is_error`; only the flag is to be trusted. */
function result(line: JsonObject): readonly CliEvent[] {
  const costUsd = numberAt(line, 'total_cost_usd');
  const usage = { ...usageOf(objectAt(line, 'usage')), ...(costUsd > 0 ? { costUsd } : {}) };
  const said = textAt(line, 'result');
  if (line.is_error === true || line.subtype !== 'success') {
    return [{ kind: 'usage', usage }, error(said || `ended with ${textAt(line, 'subtype') || 'an error'}`)];
  }
  return [
    { kind: 'usage', usage },
    ...(said === '' ? [] : [{ kind: 'message', text: said } as const]),
    { kind: 'end' },
  ];
}

function usageOf(usage: JsonObject): Usage {
  const read = numberAt(usage, 'cache_read_input_tokens');
  const written = numberAt(usage, 'cache_creation_input_tokens');
  return {
    inputTokens: numberAt(usage, 'input_tokens') + read + written,
    outputTokens: numberAt(usage, 'output_tokens'),
    ...(read > 0 ? { cacheReadTokens: read } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  };
}

/** What its model says now would look like an answer. */
function noTools(status: string): CliEvent {
  return { kind: 'no-tools', message: `began without our MCP server, which it calls "${status}"` };
}

function warning(message: string): CliEvent {
  return { kind: 'warning', message };
}

function error(message: string): CliEvent {
  return { kind: 'error', message };
}
