import { ANTHROPIC_MESSAGES } from './wire-anthropic.js';
import { BEDROCK_CONVERSE } from './wire-bedrock.js';
import { COHERE_V1, COHERE_V2 } from './wire-cohere.js';
import type { WireFormat } from './wire-format.js';
import { GEMINI } from './wire-gemini.js';
import { GOOGLE_INTERACTIONS } from './wire-google-interactions.js';
import { OLLAMA } from './wire-ollama.js';
import { OPENAI_CHAT, OPENAI_CHAT_LEGACY } from './wire-openai-chat.js';
import { OPENAI_RESPONSES } from './wire-openai-responses.js';

/** Every provider's JSON that is known. The first that knows a body or an event reads it. */
export const WIRE_FORMATS: readonly WireFormat[] = [
  OPENAI_CHAT,
  OPENAI_CHAT_LEGACY,
  OPENAI_RESPONSES,
  ANTHROPIC_MESSAGES,
  GEMINI,
  GOOGLE_INTERACTIONS,
  BEDROCK_CONVERSE,
  COHERE_V2,
  COHERE_V1,
  OLLAMA,
];

const WIRE_IDS: ReadonlySet<string> = new Set(WIRE_FORMATS.map(({ id }) => id));

/** Whether calls of this format come from a provider's own JSON. */
export function isWireFormat(id: string): boolean {
  return WIRE_IDS.has(id);
}
