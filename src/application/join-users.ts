import type { Message } from '../domain/message.js';

export type UserMessage = Extract<Message, { role: 'user' }>;

/** Both as one message. The templates of many models (Mistral, Gemma, Llama 2) take no two of the user in a row. */
export function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  return { role: 'user', content: `${first.content}\n\n${second.content}` };
}

/** The messages with neighbours of the user joined. */
export function withJoinedUsers(messages: Iterable<Message>, join: typeof joinUsers = joinUsers): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user') joined[joined.length - 1] = join(last, message);
    else joined.push(message);
  }
  return joined;
}
