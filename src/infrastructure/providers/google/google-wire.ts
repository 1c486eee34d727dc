import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

/** The parts of Gemini's `generateContent` that are read here; what else a part has is kept, and sent back as it came. */
export interface WireReply {
  readonly parts: readonly JsonObject[];
  readonly finishReason: string;
  readonly finishMessage?: string;
  readonly usage: JsonObject;
}

/** What an assistant message's `raw` is: the content as the API takes it back. */
export interface RawContent extends JsonObject {
  readonly role: 'model';
  readonly parts: readonly JsonObject[];
}

export function isRawContent(raw: Json | undefined): raw is RawContent {
  return isJsonObject(raw) && raw.role === 'model' && isObjectList(raw.parts);
}

export function isObjectList(value: Json | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

/** The calls among the parts, in their order. */
export function functionCalls(parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.flatMap(({ functionCall }) => (isJsonObject(functionCall) ? [functionCall] : []));
}
