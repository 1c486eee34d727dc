import type { LanguageModelV3Message, LanguageModelV3ToolResultPart } from '@ai-sdk/provider';
import { isJsonObject, type Json } from '../domain/json.js';
import type { AssistantMessage, InjectedResult, Message } from '../domain/message.js';

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];

/** What an assistant message's `raw` is here: the parts as the AI SDK takes them back. */
interface RawParts {
  readonly ai_sdk: AssistantContent;
}

/** Writes transcripts as the AI SDK's models take them; each message once, however many turns repeat it. */
export class PromptWriter {
  readonly #written = new WeakMap<Message, LanguageModelV3Message>();

  write(messages: readonly Message[]): LanguageModelV3Message[] {
    return messages.map((message) => this.#one(message));
  }

  #one(message: Message): LanguageModelV3Message {
    const known = this.#written.get(message);
    if (known) return known;
    const written = promptMessage(message);
    this.#written.set(message, written);
    return written;
  }
}

function promptMessage(message: Message): LanguageModelV3Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] };
    case 'assistant':
      return { role: 'assistant', content: assistantContent(message) };
    case 'tool':
      return { role: 'tool', content: message.results.map(resultPart) };
  }
  return message satisfies never;
}

/** The model's own parts, or what another provider's model said. */
function assistantContent({ raw, content, calls }: AssistantMessage): AssistantContent {
  if (isRawParts(raw)) return ownParts(raw, calls);
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
  const parts = calls.map(({ id, name, arguments: input }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: isJsonObject(input) ? input : {},
  }));
  return [...text, ...parts];
}

/** The parts as they came, calls under the ids that their results have: a model may give one twice. */
function ownParts({ ai_sdk: parts }: RawParts, calls: AssistantMessage['calls']): AssistantContent {
  let place = 0;
  return parts.map((part) => {
    if (part.type !== 'tool-call' || part.providerExecuted) return part;
    const { id = part.toolCallId } = calls[place] ?? {};
    place += 1;
    return { ...part, toolCallId: id };
  });
}

function isRawParts(raw: Json | undefined): raw is Json & RawParts {
  return isJsonObject(raw) && Array.isArray(raw.ai_sdk);
}

function resultPart({ callId, tool, output, isError }: InjectedResult): LanguageModelV3ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: tool,
    output: { type: isError ? 'error-text' : 'text', value: output },
  };
}
