import type { JsonObject } from '../../../domain/json.js';
import { type CliEvent, type CliReader, SERVER } from './cli-driver.js';
import { objectAt, textAt } from './json-values.js';
import { OwnTools } from './own-tools.js';

const OURS = `${SERVER}-`;
/** Of its errors, those of a tool that did not run. */
const REFUSAL_CODES: readonly string[] = ['denied', 'rejected'];
const UNKNOWN = /^Tool '[^']*' does not exist\.$/;

/** Reads `--output-format json`. It tells its session at the end only, but it is the one that we chose. */
export class CopilotReader implements CliReader {
  readonly #own = new OwnTools();

  constructor(private readonly sessionId: string) {}

  read(line: JsonObject): readonly CliEvent[] {
    const data = objectAt(line, 'data');
    const content = textAt(data, 'content');
    const delta = textAt(data, 'deltaContent');
    switch (line.type) {
      case 'user.message':
        return [{ kind: 'session', id: this.sessionId }];
      case 'assistant.message_delta':
        return delta === '' ? [] : [{ kind: 'delta', text: delta }];
      case 'assistant.message':
        return content === '' ? [] : [{ kind: 'message', text: content }];
      case 'tool.execution_start':
        this.#ask(data);
        return [];
      case 'tool.execution_complete':
        return this.#own.ended(textAt(data, 'toolCallId'), isRefused(data));
      case 'session.error':
        return [{ kind: 'error', message: textAt(data, 'message') || 'failed' }];
      case 'result':
        return result(line);
      default:
        return [];
    }
  }

  end(): readonly CliEvent[] {
    return this.#own.left();
  }

  #ask(data: JsonObject): void {
    const tool = textAt(data, 'toolName');
    if (!tool.startsWith(OURS)) {
      this.#own.asked(textAt(data, 'toolCallId'), tool, objectAt(data, 'arguments'));
    }
  }
}

function isRefused(data: JsonObject): boolean {
  const error = objectAt(data, 'error');
  const isNotRun = REFUSAL_CODES.includes(textAt(error, 'code')) || UNKNOWN.test(textAt(error, 'message'));
  return data.success === false && isNotRun;
}

function result(line: JsonObject): readonly CliEvent[] {
  if (line.exitCode === 0) return [{ kind: 'end' }];
  return [{ kind: 'error', message: `ended with exit code ${String(line.exitCode)}` }];
}
