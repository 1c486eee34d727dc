import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
} from '@ai-sdk/provider';
import { ToolgateError } from '../domain/errors.js';
import type { Message } from '../domain/message.js';
import type { Tool } from '../domain/tool.js';
import type { AgentContext, AgentProvider, AgentReply, AgentRequest } from '../ports/agent-provider.js';
import { modelFailure } from './model-failure.js';
import { PromptWriter } from './prompt-writer.js';
import { readStream } from './read-stream.js';
import { type ModelReply, replyOf } from './reply-of.js';

/** Any language model of the Vercel AI SDK: of its version 6, or of its version 5. */
export type AiSdkModel = LanguageModelV3 | LanguageModelV2;

export interface AiSdkAgentOptions {
  /** What steps and people call it; the model's own provider and id when left out. */
  readonly name?: string;
  /** Whether text is shown as it comes; true when left out. */
  readonly stream?: boolean;
  /** Handed to the model as they are: `maxOutputTokens`, `temperature`, `providerOptions` and so on. */
  readonly settings?: Omit<LanguageModelV3CallOptions, 'prompt' | 'tools' | 'toolChoice' | 'abortSignal'>;
}

/** Lets a model of the AI SDK be the agent of our loop. What it signs (reasoning, calls) is replayed as it came. */
export class AiSdkAgent implements AgentProvider {
  readonly name: string;
  readonly toolProtocol = 'native';
  readonly costUnknown = 'models of the AI SDK do not say what a turn costs';
  readonly #model: LanguageModelV3;
  readonly #prompt = new PromptWriter();
  #tools: readonly Tool[] = [];

  constructor(
    model: AiSdkModel,
    private readonly options: AiSdkAgentOptions = {},
  ) {
    // What differs between the two is how a reply ends, and `replyOf` reads both.
    this.#model = model as LanguageModelV3;
    this.name = options.name ?? `${model.provider}/${model.modelId}`;
  }

  async complete({ messages, tools }: AgentRequest, context: AgentContext): Promise<AgentReply> {
    const { signal } = context;
    signal.throwIfAborted();
    const request = { ...this.#offered(tools), ...this.#request(messages), abortSignal: signal };
    try {
      return replyOf(await this.#ask(request, context));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolgateError) throw error;
      throw modelFailure(this.name, error);
    }
  }

  async #ask(request: LanguageModelV3CallOptions, context: AgentContext): Promise<ModelReply> {
    if (this.options.stream !== false) {
      const { stream } = await this.#model.doStream(request);
      return readStream(stream, context);
    }
    const reply = await this.#model.doGenerate(request);
    for (const part of reply.content) if (part.type === 'text') context.onText?.(part.text);
    return reply;
  }

  #request(messages: readonly Message[]): LanguageModelV3CallOptions {
    return { ...this.options.settings, prompt: this.#prompt.write(messages) };
  }

  /** On the last turn the tools are still described, since models refuse a history of calls to tools unknown. */
  #offered(tools: readonly Tool[]): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
    if (tools.length > 0) this.#tools = tools;
    if (this.#tools.length === 0) return {};
    return {
      tools: this.#tools.map(functionTool),
      toolChoice: { type: tools.length > 0 ? 'auto' : 'none' },
    };
  }
}

function functionTool({ name, description, parameters }: Tool): LanguageModelV3FunctionTool {
  const inputSchema = parameters as LanguageModelV3FunctionTool['inputSchema'];
  return { type: 'function', name, inputSchema, ...(description === '' ? {} : { description }) };
}
