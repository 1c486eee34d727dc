import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf } from '../http/call-values.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';
import { responsesReply } from './responses-reply.js';

/** Reads the events of a response: its text as it comes, and all of it from the event that ends it. */
export class ResponsesStream implements StreamReader<AgentReply> {
  readonly #items = new Map<number, JsonObject>();
  #response: JsonObject | undefined;

  constructor(private readonly onText: (delta: string) => void) {}

  take(event: JsonObject): boolean {
    switch (event.type) {
      case 'response.output_text.delta':
        if (typeof event.delta === 'string' && event.delta !== '') this.onText(event.delta);
        return false;
      case 'response.output_item.done':
        this.#keep(event);
        return false;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isJsonObject(event.response)) this.#response = event.response;
        return true;
      case 'error':
        throw failureOfBody(
          isJsonObject(event.error) ? event : { error: { ...event, type: event.code ?? null } },
        );
      default:
        // What begins, grows or is yet to be invented; items come whole at their end.
        return false;
    }
  }

  finish(): AgentReply {
    if (!this.#response) throw badReply('the stream ended before the reply did');
    // Some gateways leave the items out of the event that ends it.
    const isBare = objectsOf(this.#response.output).length < this.#items.size;
    const output = [...this.#items].sort(([left], [right]) => left - right).map(([, item]) => item);
    return responsesReply(isBare ? { ...this.#response, output } : this.#response);
  }

  #keep({ output_index: index, item }: JsonObject): void {
    if (typeof index === 'number' && isJsonObject(item)) this.#items.set(index, item);
  }
}
