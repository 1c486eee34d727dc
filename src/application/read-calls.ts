import type { TurnInput } from '../domain/effect.js';
import type { Json } from '../domain/json.js';
import type { AssistantMessage } from '../domain/message.js';
import type { RequestedCall } from '../domain/tool-call.js';
import type { FormatDeclaration } from '../pkg/toolparse/formats/declaration.js';
import type { FormatChoice } from '../pkg/toolparse/types.js';
import type { LiveStep } from './step-effects.js';

/** Whether a reply's calls are yet to be read out of its text, or named. */
export function needsReading(message: AssistantMessage, live: LiveStep): boolean {
  return live.request.agent.toolProtocol === 'text' || message.calls.some(({ id }) => id === '');
}

/** The reply with its calls: as the provider listed them, or read out of the text of an agent that only writes text. */
export async function readCalls(
  message: AssistantMessage,
  live: LiveStep,
  { turn, offerTools }: TurnInput,
): Promise<AssistantMessage> {
  const isText = live.request.agent.toolProtocol === 'text';
  const calls = isText && offerTools ? await parseText(message.content, live) : message.calls;
  const named = calls.map((call, index) =>
    isText || call.id === '' ? { ...call, id: callId(turn, index) } : call,
  );
  return { ...message, calls: named };
}

/** Every known format, and those of the workflow, whose marks come first. */
function formatsOf({ request: { formats = [] } }: LiveStep): FormatChoice | readonly FormatChoice[] {
  // Checked by toolparse when the workflow was loaded; the domain only knows that they are data.
  return formats.length === 0 ? 'auto' : ['auto', ...(formats as readonly unknown[] as FormatDeclaration[])];
}

/** Unique over the whole step, which the ids that a parser or a careless model gives are not. */
function callId(turn: number, index: number): string {
  return `call_${turn}_${index + 1}`;
}

async function parseText(text: string, live: LiveStep): Promise<readonly RequestedCall[]> {
  const { parseToolCalls } = await import('../pkg/toolparse/parse-tool-calls.js');
  const tools = [...live.tools.values()].map(({ handler }) => handler.tool);
  // Every call is answered: what the parser would leave out or take for text is refused where the model can read it.
  const options = { undeclaredArguments: 'keep', unusableCalls: 'keep' } as const;
  const { calls } = parseToolCalls(text, { ...options, tools, format: formatsOf(live) });
  return calls.map(({ id, name, arguments: args, complete }) => ({
    id,
    name,
    arguments: args as Json,
    complete,
  }));
}
