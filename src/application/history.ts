import type { JsonObject } from '../domain/json.js';
import type { Message } from '../domain/message.js';
import type { AgentProvider } from '../ports/agent-provider.js';

/** What was said in a step, and by whom. */
export interface History {
  readonly speaker: string;
  readonly messages: readonly Message[];
}

/** How an agent takes part in a step. */
export interface Participation {
  readonly agent: AgentProvider;
  readonly options: JsonObject;
  /** Whether it writes its calls as text: then its own messages hold no calls that an API would know of. */
  readonly isText: boolean;
}

/** Equal for those who understand each other's own messages: what one model has signed, another one may refuse. */
export function speakerOf({ agent, options, isText }: Participation): string {
  const { model = null, base_url: address = null, api = null } = options;
  return JSON.stringify([agent.name, model, address, api, isText]);
}

/** A step's first messages: those of the step it goes on from, where there is one, and then its own. */
export function openingMessages(
  own: readonly Message[],
  speaker: string,
  earlier?: History,
): readonly Message[] {
  if (!earlier) return own;
  // A step that says who the agent is says so instead of the earlier one.
  const isSystem = ({ role }: Message): boolean => role === 'system';
  const system = own.some(isSystem) ? own.filter(isSystem) : earlier.messages.filter(isSystem);
  const said = earlier.messages.filter((message) => !isSystem(message));
  return [
    ...system,
    ...(earlier.speaker === speaker ? said : neutral(said)),
    ...own.filter((message) => !isSystem(message)),
  ];
}

/** The ids that every API takes; Anthropic refuses other characters, OpenAI longer ones. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,40}$/;

/** What was said without what only one provider understands: its own messages, and ids of its own fashion. */
function neutral(messages: readonly Message[]): readonly Message[] {
  const ids = new Map<string, string>();
  const plain = (id: string): string => {
    if (PLAIN_ID.test(id)) return id;
    const known = ids.get(id) ?? `earlier_${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  return messages.map((message) => {
    if (message.role === 'tool') {
      return {
        ...message,
        results: message.results.map((result) => ({ ...result, callId: plain(result.callId) })),
      };
    }
    if (message.role !== 'assistant') return message;
    const { raw: _, ...said } = message;
    return { ...said, calls: said.calls.map((call) => ({ ...call, id: plain(call.id) })) };
  });
}
