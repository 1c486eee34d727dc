import { ToolgateError } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';
import type {
  AgentContext,
  AgentProvider,
  AgentProviders,
  AgentReply,
  AgentRequest,
} from '../../../ports/agent-provider.js';
import type { Tape } from '../../../ports/agent-recordings.js';
import type { PortableJson } from './portable-json.js';
import type { RecordedExchange, RecordedReply, RecordedRequest } from './recorded-exchange.js';
import { replyFromJson } from './reply-json.js';
import { describeDifference } from './request-difference.js';
import { messageToJson, optionsToJson, positionOf, stepOf, toolsToJson } from './request-json.js';

interface ReplayOptions {
  readonly portable: PortableJson;
  /** Then what was asked before is not asked here again. */
  readonly isResumed: boolean;
}

/** Answers from a recording: no provider is made and nothing is sent. Another request than the recorded one fails. */
export class ReplayTape implements Tape {
  /** A message is written out once, however often it is sent. */
  readonly #texts = new WeakMap<Message, string>();

  /** The request that was asked last; none where a resumed run had all that it needs in its journal. */
  #last: number | undefined;

  constructor(
    private readonly file: string,
    private readonly exchanges: ReadonlyMap<number, RecordedExchange>,
    private readonly options: ReplayOptions,
  ) {
    this.#last = options.isResumed ? undefined : -1;
  }

  warnings(): readonly string[] {
    const { exchanges, file } = this;
    const last = this.#last ?? Number.POSITIVE_INFINITY;
    const left = [...exchanges.keys()].filter((n) => n > last).length;
    if (left === 0) return [];
    const were = left === 1 ? '1 was' : `${left} were`;
    return [
      `Of the ${exchanges.size} requests in the recording ${file}, ${were} not asked; if that is meant, record again`,
    ];
  }

  wrap(): AgentProviders {
    return { create: async (provider, options) => this.#player(provider, stepOf(options)) };
  }

  #player(provider: string, step: string): AgentProvider {
    const all = [...this.exchanges.values()];
    const like = all.find((one) => one.step === step) ?? all.find((one) => one.provider === provider);
    return {
      name: like?.agent ?? provider,
      toolProtocol: like?.tool_protocol ?? 'native',
      complete: (request, context) => this.#answer(request, context),
    };
  }

  async #answer(request: AgentRequest, context: AgentContext): Promise<AgentReply> {
    context.signal.throwIfAborted();
    const n = positionOf(request);
    this.#last = n;
    const recorded = this.exchanges.get(n);
    if (!recorded) {
      throw this.#unexpected(`has no request ${n + 1} (it has ${this.exchanges.size}); record the run again`);
    }
    const difference = await describeDifference(recorded.request, this.#requestOf(request));
    if (difference !== undefined) {
      throw this.#unexpected(
        `has another request ${n + 1}. Lines with - are recorded, lines with + were asked now:\n${difference}`,
      );
    }
    const reply = replyFromJson(
      this.options.portable.fromFile(recorded.reply as unknown as Json) as unknown as RecordedReply,
    );
    if (reply.message.content !== '') context.onText?.(reply.message.content);
    return reply;
  }

  #requestOf(request: AgentRequest): RecordedRequest {
    const { toFile } = this.options.portable;
    return {
      messages: request.messages.map((message) => this.#textOf(message)),
      tools: JSON.stringify(toFile(toolsToJson(request))),
      options: JSON.stringify(toFile(optionsToJson(request))),
    };
  }

  #textOf(message: Message): string {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.options.portable.toFile(messageToJson(message)));
    this.#texts.set(message, text);
    return text;
  }

  #unexpected(problem: string): ToolgateError {
    return new ToolgateError('EXECUTION.PROVIDER.UNEXPECTED_TURN', `The recording ${this.file} ${problem}`);
  }
}
