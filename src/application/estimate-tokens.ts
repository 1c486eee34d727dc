import type { Message } from '../domain/message.js';

/** English and code have three to four characters a token; other scripts about one. Rather too many than too few. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What a message costs beside its words: its role, and what parts it from the next. */
const TOKENS_PER_MESSAGE = 4;
const ASCII = /[\0-\x7f]+/g;

/** About how many tokens a message has, for any model: until the provider says how many there are. */
export function estimateTokens(message: Message): number {
  return TOKENS_PER_MESSAGE + textTokens(wordsOf(message));
}

/** About how many tokens a text has. */
export function textTokens(text: string): number {
  const others = text.replace(ASCII, '').length;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others;
}

/** The beginning of a text, as much as fits. */
export function cutToTokens(text: string, tokens: number): string {
  const cut = text.slice(0, Math.max(0, Math.floor(tokens * CHARACTERS_PER_TOKEN)));
  // Whatever its script, a character is one token at most.
  return textTokens(cut) <= tokens ? cut : cut.slice(0, Math.max(0, Math.floor(tokens)));
}

function wordsOf(message: Message): string {
  switch (message.role) {
    case 'tool':
      return message.results.map(({ callId, tool, output }) => `${callId}${tool}${output}`).join('\n');
    case 'assistant':
      return message.calls.length === 0
        ? message.content
        : `${message.content}\n${JSON.stringify(message.calls)}`;
    case 'system':
    case 'user':
      return message.content;
    default:
      throw message satisfies never;
  }
}
