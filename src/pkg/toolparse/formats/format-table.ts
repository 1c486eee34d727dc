import { CLAUDE_XML } from './claude-xml.js';
import type { FormatDeclaration, WireFormat } from './declaration.js';
import { PLAIN_JSON } from './plain-json.js';
import { TAGGED_JSON } from './tagged-json.js';
import { OPENAI_CHAT, OPENAI_CHAT_LEGACY, OPENAI_RESPONSES } from './wire-openai.js';
import { ANTHROPIC_MESSAGES, GEMINI, OLLAMA } from './wire-others.js';

/** Every built-in text format. Where two fit at the same place, the earlier one is asked first. */
export const TEXT_FORMATS: readonly FormatDeclaration[] = [...TAGGED_JSON, ...CLAUDE_XML, ...PLAIN_JSON];

/** Every wire body that is known. The first that knows the body reads it. */
export const WIRE_FORMATS: readonly WireFormat[] = [
  OPENAI_CHAT_LEGACY,
  OPENAI_CHAT,
  OPENAI_RESPONSES,
  ANTHROPIC_MESSAGES,
  GEMINI,
  OLLAMA,
];
