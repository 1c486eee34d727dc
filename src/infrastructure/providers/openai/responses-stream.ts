import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import { objectsOf } from '../http/call-values.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';
import { ResponseItems } from './response-items.js';
import { responsesReply } from './responses-reply.js';

/** Reads the events of a response: its text as it comes, and all of it from the event that ends it. */
export class ResponsesStream implements StreamReader<AgentReply> {
  readonly #items = new ResponseItems();
  #response: JsonObject | undefined;

  constructor(private readonly onText: (delta: string) => void) {}

  take(event: JsonObject): boolean {
    switch (event.type) {
      case 'response.output_text.delta':
        if (typeof event.delta === 'string' && event.delta !== '') this.onText(event.delta);
        this.#items.grow(event);
        return false;
      case 'response.function_call_arguments.delta':
        this.#items.grow(event);
        return false;
      case 'response.output_item.added':
        this.#items.begin(event);
        return false;
      case 'response.output_item.done':
        this.#items.end(event);
        return false;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isJsonObject(event.response)) this.#response = event.response;
        return true;
      case 'error':
        throw failureOfBody(event);
      default:
        // What says the same again, or is yet to be invented.
        return false;
    }
  }

  finish(): AgentReply {
    if (!this.#response) throw badReply('the stream ended before the reply did');
    // Some gateways leave the items out of the event that ends it.
    const output = this.#items.list();
    const isBare = objectsOf(this.#response.output).length < output.length;
    return responsesReply(isBare ? { ...this.#response, output } : this.#response);
  }
}
