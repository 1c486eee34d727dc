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

/** A text without words, which the API may write and would itself refuse. */
export function isBlank({ type, text }: WireBlock): boolean {
  return type === 'text' && typeof text === 'string' && text.trim() === '';
}

/** A thought without a signature: Anthropic's own is so only where it was cut off, those of other servers may all be. */
export function isUnsigned({ type, signature }: WireBlock): boolean {
  return type === 'thinking' && (signature ?? '') === '';
}
