import type { LanguageModelV3Content, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { ToolgateError } from '../domain/errors.js';
import type { AgentContext } from '../ports/agent-provider.js';
import type { ModelReply } from './reply-of.js';

type Metadata = Extract<LanguageModelV3Content, { type: 'text' }>['providerMetadata'];
type Part<T extends LanguageModelV3StreamPart['type']> = Extract<LanguageModelV3StreamPart, { type: T }>;

/** Puts a reply together from its stream, the same as one that came whole. Abort ends the stream at its source. */
export async function readStream(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  { signal, onText }: AgentContext,
): Promise<ModelReply> {
  const reply = new StreamedReply(onText);
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return reply.finish();
      reply.take(value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Left early, by an error event or a reader that threw, the rest is of no interest.
    stop();
  }
}

/** Text or reasoning while its pieces come. */
interface OpenText {
  readonly type: 'text' | 'reasoning';
  readonly pieces: string[];
  metadata: Metadata;
}

class StreamedReply {
  readonly #content: (LanguageModelV3Content | OpenText)[] = [];
  readonly #open = new Map<string, OpenText>();
  #end: Part<'finish'> | undefined;

  constructor(private readonly onText: AgentContext['onText']) {}

  take(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part);
        return;
      case 'text-delta':
      case 'reasoning-delta':
        this.#grow(part);
        return;
      case 'text-end':
      case 'reasoning-end':
        this.#mark(part);
        return;
      case 'tool-call':
      case 'tool-result':
      case 'file':
        this.#content.push(part);
        return;
      case 'finish':
        this.#end = part;
        return;
      case 'error':
        throw part.error;
      default:
        // Pieces of arguments, which come whole as well; warnings, sources, raw chunks.
        return;
    }
  }

  finish(): ModelReply {
    if (!this.#end) {
      throw new ToolgateError('EXECUTION.PROVIDER.BAD_REPLY', 'the stream ended before the reply did');
    }
    const { finishReason, usage } = this.#end;
    return { content: this.#content.map(closed), finishReason, usage };
  }

  #begin(part: Part<'text-start' | 'reasoning-start'>): void {
    const type = part.type === 'text-start' ? 'text' : 'reasoning';
    const open: OpenText = { type, pieces: [], metadata: part.providerMetadata };
    this.#open.set(`${type} ${part.id}`, open);
    this.#content.push(open);
  }

  #grow(part: Part<'text-delta' | 'reasoning-delta'>): void {
    const open = this.#mark(part);
    open?.pieces.push(part.delta);
    if (part.type === 'text-delta' && part.delta !== '') this.onText?.(part.delta);
  }

  /** A signature may come with any piece; the last one counts. */
  #mark(part: Part<'text-delta' | 'reasoning-delta' | 'text-end' | 'reasoning-end'>): OpenText | undefined {
    const [type] = part.type.split('-');
    const open = this.#open.get(`${type} ${part.id}`);
    if (open && part.providerMetadata) open.metadata = part.providerMetadata;
    return open;
  }
}

function closed(part: LanguageModelV3Content | OpenText): LanguageModelV3Content {
  if (!('pieces' in part)) return part;
  const { type, pieces, metadata } = part;
  return { type, text: pieces.join(''), ...(metadata ? { providerMetadata: metadata } : {}) };
}
