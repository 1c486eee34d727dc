import type { Message } from '../../../domain/message.js';

const MARK = /<(\/?message\b)/g;

/**
 * A whole conversation as one text, for a program that takes nothing else. Who speaks stands in a tag, and no message
 * can write such a tag itself: a tool's output must not pass for something that the user said.
 */
export function renderConversation(messages: readonly Message[]): string {
  const told = messages.map(renderMessage).join('\n');
  return `${told}\nWrite the next message of the assistant: its text only, without the tag around it.\n`;
}

function renderMessage(message: Message): string {
  if (message.role !== 'tool') return tagged(message.role, message.content);
  const results = message.results.map(
    ({ tool, output, isError }) => `${tool}${isError ? ' failed' : ''}: ${output}`,
  );
  return tagged('tool', results.join('\n'));
}

function tagged(role: Message['role'], text: string): string {
  return `<message from="${role}">\n${text.replace(MARK, '&lt;$1')}\n</message>`;
}
