import type { Message } from '../domain/message.js';

/** What was said in a step, and with whom. */
export interface History {
  readonly agent: string;
  readonly messages: readonly Message[];
}

/** A step's first messages: those of the step it goes on from, where there is one, and then its own. */
export function openingMessages(
  own: readonly Message[],
  agent: string,
  earlier?: History,
): readonly Message[] {
  if (!earlier) return own;
  // A step that says who the agent is says so instead of the earlier one.
  const isSystem = ({ role }: Message): boolean => role === 'system';
  const system = own.some(isSystem) ? own.filter(isSystem) : earlier.messages.filter(isSystem);
  const said = earlier.messages.filter((message) => !isSystem(message));
  return [
    ...system,
    ...(earlier.agent === agent ? said : said.map(withoutRaw)),
    ...own.filter((message) => !isSystem(message)),
  ];
}

/** One provider's own message means nothing to another. */
function withoutRaw(message: Message): Message {
  if (message.role !== 'assistant' || message.raw === undefined) return message;
  const { raw: _, ...neutral } = message;
  return neutral;
}
