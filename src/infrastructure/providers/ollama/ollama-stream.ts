import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { Usage } from '../../../domain/message.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf, requestedCall, textOf, withoutLast } from '../http/call-values.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';

/** Puts a message together from lines; a reply that came at once is a stream of one line. */
export class OllamaStream implements StreamReader<AgentReply> {
  readonly #content: string[] = [];
  readonly #thinking: string[] = [];
  readonly #calls: JsonObject[] = [];
  #end: JsonObject | undefined;

  constructor(private readonly onText: (delta: string) => void = () => undefined) {}

  take(line: JsonObject): boolean {
    if (line.error !== undefined && line.error !== null) throw failureOfBody(line);
    if (isJsonObject(line.message)) this.#grow(line.message);
    if (line.done === true) this.#end = line;
    return line.done === true;
  }

  finish(): AgentReply {
    if (!this.#end) throw badReply('the stream ended before the reply did');
    const isCut = this.#end.done_reason === 'length';
    const [content, thinking] = [this.#content.join(''), this.#thinking.join('')];
    const calls = this.#calls.map(({ id, function: called }) => {
      const { name, arguments: args } = isJsonObject(called) ? called : {};
      return requestedCall(id, name, args);
    });
    const usage = usageOf(this.#end);
    const raw = {
      role: 'assistant',
      content,
      ...(thinking === '' ? {} : { thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: this.#calls }),
    };
    return {
      message: {
        role: 'assistant',
        content,
        calls: withoutLast(calls, isCut),
        ...(isCut ? { cutOff: true } : {}),
        raw: { ollama: raw },
      },
      ...(usage ? { usage } : {}),
    };
  }

  #grow({ content, thinking, tool_calls: calls }: JsonObject): void {
    const text = textOf(content);
    this.#content.push(text);
    this.#thinking.push(textOf(thinking));
    for (const call of objectsOf(calls)) this.#calls.push(call);
    if (text !== '') this.onText(text);
  }
}

/** A reply may leave out what was read from a cache, or say nothing at all. */
function usageOf({ prompt_eval_count: input, eval_count: output }: JsonObject): Usage | undefined {
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  return {
    inputTokens: typeof input === 'number' ? input : 0,
    outputTokens: typeof output === 'number' ? output : 0,
  };
}
