import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { parseJson } from '../../../domain/parse-json.js';
import { isNoArguments, member } from '../http/call-values.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply } from '../http/provider-error.js';
import { isWireBlock, type WireBlock, type WireMessage } from './anthropic-wire.js';

/** A block while its pieces come: texts grow in a list, since joining each piece to all before it is quadratic. */
interface OpenBlock {
  readonly start: WireBlock;
  readonly pieces: Map<string, string[]>;
  readonly citations: Json[];
}

/** Puts a message together from its events, so that it is the same as one that came whole. */
export class AnthropicStream implements StreamReader<WireMessage> {
  readonly #blocks: OpenBlock[] = [];
  /** By the index it was given: gateways begin to count anywhere. */
  readonly #blockAt = new Map<number, OpenBlock>();
  readonly #usage: Record<string, Json> = {};
  #stopReason: string | null = null;
  #isEnded = false;

  constructor(private readonly onText: (delta: string) => void) {}

  take(event: JsonObject): boolean {
    switch (event.type) {
      case 'message_start':
        this.#addUsage(member(event.message, 'usage'));
        break;
      case 'content_block_start':
        this.#open(event);
        break;
      case 'content_block_delta':
        this.#grow(event);
        break;
      case 'message_delta':
        this.#stop(event);
        break;
      case 'message_stop':
        this.#isEnded = true;
        return true;
      case 'error':
        throw failureOfBody(event);
      default:
        // Pings, and events that are yet to be invented.
        break;
    }
    return false;
  }

  /** Nothing is said behind the reason it stopped for; some gateways leave out the event that ends it. */
  get isWhole(): boolean {
    return this.#isEnded || this.#stopReason !== null;
  }

  finish(): WireMessage {
    if (!this.isWhole) throw badReply('the stream ended before the reply did');
    const brokenInputs = new Map<number, string>();
    const content = this.#blocks.map((block, index) =>
      closed(block, (text) => brokenInputs.set(index, text)),
    );
    return { content, stop_reason: this.#stopReason, usage: this.#usage, brokenInputs };
  }

  #open({ index, content_block: start }: JsonObject): void {
    const isNew = typeof index === 'number' && !this.#blockAt.has(index);
    if (!isNew || !start || !isWireBlock(start)) {
      throw badReply(`a block begins out of turn (index ${JSON.stringify(index)})`);
    }
    const block = { start, pieces: new Map(), citations: [] };
    this.#blocks.push(block);
    this.#blockAt.set(index, block);
    if (start.type === 'text' && typeof start.text === 'string' && start.text !== '') this.onText(start.text);
  }

  #grow({ index, delta }: JsonObject): void {
    const block = typeof index === 'number' ? this.#blockAt.get(index) : undefined;
    if (!block || !isJsonObject(delta)) throw badReply('a piece belongs to no block');
    if (delta.type === 'citations_delta' && delta.citation !== undefined)
      block.citations.push(delta.citation);
    // `text_delta` has its piece under `text`, `thinking_delta` under `thinking`, and so on.
    for (const key of ['text', 'thinking', 'signature', 'partial_json']) {
      const piece = delta[key];
      if (typeof piece === 'string') addPiece(block.pieces, key, piece);
    }
    if (delta.type === 'text_delta' && typeof delta.text === 'string') this.onText(delta.text);
  }

  #stop({ delta, usage }: JsonObject): void {
    const reason = member(delta, 'stop_reason');
    if (typeof reason === 'string') this.#stopReason = reason;
    this.#addUsage(usage);
  }

  /** Counts are totals so far; a later null says nothing. */
  #addUsage(usage: Json | undefined): void {
    if (!isJsonObject(usage)) return;
    for (const [key, value] of Object.entries(usage)) if (value !== null) this.#usage[key] = value;
  }
}

function addPiece(pieces: Map<string, string[]>, key: string, piece: string): void {
  const list = pieces.get(key);
  if (list) list.push(piece);
  else pieces.set(key, [piece]);
}

function closed({ start, pieces, citations }: OpenBlock, onBroken: (text: string) => void): WireBlock {
  const grown: Record<string, Json> = {};
  for (const [key, list] of pieces) {
    const before = typeof start[key] === 'string' ? start[key] : '';
    if (key === 'partial_json') grown.input = inputOf(list.join(''), start, onBroken);
    else grown[key] = before + list.join('');
  }
  return { ...start, ...grown, ...(citations.length > 0 ? { citations } : {}) };
}

/** A tool without arguments may send no text at all. */
function inputOf(text: string, { input }: WireBlock, onBroken: (text: string) => void): Json {
  if (isNoArguments(text)) return input ?? {};
  const parsed = parseJson(text);
  if (parsed !== undefined && isJsonObject(parsed)) return parsed;
  onBroken(text);
  return {};
}
