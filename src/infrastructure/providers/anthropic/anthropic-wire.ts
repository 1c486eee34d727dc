import type { Json, JsonObject } from '../../../domain/json.js';

/** The parts of Anthropic's Messages API that are read here; what else a block has is kept, and sent back as it came. */
export interface WireMessage {
  readonly content: readonly WireBlock[];
  readonly stop_reason: string | null;
  readonly usage: JsonObject;
  /** Texts of `tool_use` inputs that are no JSON, by the place of their block. */
  readonly brokenInputs: ReadonlyMap<number, string>;
}

export interface WireBlock extends JsonObject {
  readonly type: string;
}

/** What an assistant message's `raw` is: the message as the API takes it back. */
export interface RawMessage extends JsonObject {
  readonly role: 'assistant';
  readonly content: readonly WireBlock[];
}

export function isWireBlock(value: Json): value is WireBlock {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Blocks that the API wrote and would itself refuse: a text without words, a thought that was cut off unsigned. */
export function isRefusedBack({ type, text, signature }: WireBlock): boolean {
  const isBlank = type === 'text' && typeof text === 'string' && text.trim() === '';
  return isBlank || (type === 'thinking' && (signature ?? '') === '');
}
