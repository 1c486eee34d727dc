import { ToolgateError } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';
import type { AgentProvider, AgentProviders, AgentRequest } from '../../../ports/agent-provider.js';
import type { Tape } from '../../../ports/agent-recordings.js';
import type { PortableJson } from './portable-json.js';
import type { RecordedLine, RecordedReply } from './recorded-exchange.js';
import type { RecordingFile } from './recording-file.js';
import { failureToJson, replyToJson } from './reply-json.js';
import { messageToJson, optionsToJson, positionOf, stepOf, toolsToJson } from './request-json.js';

/** Lets providers answer, and writes down what they were asked and what they said. */
export class RecordingTape implements Tape {
  #messages: readonly Message[] = [];
  #count = 0;
  #tools: string | undefined;
  #options: string | undefined;

  constructor(
    private readonly file: RecordingFile,
    private readonly portable: PortableJson,
  ) {}

  wrap(providers: AgentProviders): AgentProviders {
    return {
      create: async (name, options) => this.#record(name, options, await providers.create(name, options)),
    };
  }

  #record(provider: string, options: JsonObject, agent: AgentProvider): AgentProvider {
    const { name, toolProtocol = 'native', warnings, costUnknown } = agent;
    if (agent.ownsLoop) throw notRecordable(provider);
    const head = { provider, agent: name, tool_protocol: toolProtocol };
    return {
      name,
      toolProtocol,
      ...(warnings ? { warnings } : {}),
      costUnknown,
      complete: async (request, context) => {
        const write = (reply: RecordedReply): void => {
          const step = stepOf({ ...options, ...request.options });
          this.#write({ n: positionOf(request), step, ...head }, request, reply);
        };
        const reply = await agent.complete(request, context).catch((error: unknown) => {
          // A request that was broken off is as if it had never been made.
          if (!context.signal.aborted) write(failureToJson(error));
          throw error;
        });
        write(replyToJson(reply));
        return reply;
      },
    };
  }

  #write(head: Omit<RecordedLine, 'request' | 'reply'>, request: AgentRequest, reply: RecordedReply): void {
    const { toFile } = this.portable;
    const same = this.#sameMessages(request.messages);
    const [tools, options] = [toFile(toolsToJson(request)), toFile(optionsToJson(request))];
    const [toolsText, optionsText] = [JSON.stringify(tools), JSON.stringify(options)];
    this.file.append({
      ...head,
      request: {
        same_messages: same,
        messages: request.messages.slice(same).map((message) => toFile(messageToJson(message))),
        ...(toolsText === this.#tools ? {} : { tools: tools as Json[] }),
        ...(optionsText === this.#options ? {} : { options: options as JsonObject }),
      },
      reply: toFile(reply as unknown as Json) as unknown as RecordedReply,
    } satisfies RecordedLine);
    this.#messages = request.messages;
    this.#count = request.messages.length;
    this.#tools = toolsText;
    this.#options = optionsText;
  }

  /** How many messages begin both this request and the last; a history is the same list as long as it only grows. */
  #sameMessages(messages: readonly Message[]): number {
    if (messages === this.#messages) return this.#count;
    let same = 0;
    while (same < this.#count && messages[same] !== undefined && messages[same] === this.#messages[same])
      same += 1;
    return same;
  }
}

/** Its calls are made while it answers: a reply without them would be played to nobody's use. */
function notRecordable(provider: string): ToolgateError {
  const message = `The provider "${provider}" runs its own loop, so its exchanges cannot be recorded; leave --record out`;
  return new ToolgateError('USER.ARGUMENT.INVALID', message);
}
