import type { TurnInput } from '../domain/effect.js';
import type { Json } from '../domain/json.js';
import type { AssistantMessage, Message } from '../domain/message.js';
import type { RequestedCall } from '../domain/tool-call.js';
import type { FormatDeclaration } from '../pkg/toolparse/formats/declaration.js';
import type { FormatChoice } from '../pkg/toolparse/types.js';
import type { LiveStep } from './step-effects.js';

/**
 * The reply with its calls, as the provider listed them or read out of the text of an agent that only writes text,
 * each under an id that nothing else in the history has.
 */
export async function readCalls(
  message: AssistantMessage,
  live: LiveStep,
  input: TurnInput,
): Promise<AssistantMessage> {
  const isText = live.request.agent.toolProtocol === 'text';
  const calls = isText && input.offerTools ? await parseText(message.content, live) : message.calls;
  return calls.length === 0 ? message : { ...message, calls: named(calls, input) };
}

/** Ids that are missing or used before are ours: parsers, servers and models count anew in each reply, and each step. */
function named(calls: readonly RequestedCall[], { turn, messages }: TurnInput): readonly RequestedCall[] {
  const seen = new Set(['']);
  const isTaken = (id: string): boolean =>
    seen.has(id) || messages.some((message) => isCalledIn(message, id));
  return calls.map((call, index) => {
    const isOwn = !isTaken(call.id);
    const id = isOwn ? call.id : freeId(`call_${turn}_${index + 1}`, isTaken);
    seen.add(id);
    return isOwn ? call : { ...call, id };
  });
}

function isCalledIn(message: Message, id: string): boolean {
  return message.role === 'assistant' && message.calls.some((call) => call.id === id);
}

function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  let id = wanted;
  for (let count = 2; isTaken(id); count += 1) id = `${wanted}_${count}`;
  return id;
}

/** Every known format, and those of the workflow, whose marks come first. */
function formatsOf({ request: { formats = [] } }: LiveStep): FormatChoice | readonly FormatChoice[] {
  // Checked by toolparse when the workflow was loaded; the domain only knows that they are data.
  return formats.length === 0 ? 'auto' : ['auto', ...(formats as readonly unknown[] as FormatDeclaration[])];
}

async function parseText(text: string, live: LiveStep): Promise<readonly RequestedCall[]> {
  const { parseToolCalls } = await import('../pkg/toolparse/parse-tool-calls.js');
  const tools = [...live.tools.values()].map(({ handler }) => handler.tool);
  // Every call is answered: what the parser would leave out or take for text is refused where the model can read it.
  const options = { undeclaredArguments: 'keep', unusableCalls: 'keep' } as const;
  const { calls } = parseToolCalls(text, { ...options, tools, format: formatsOf(live) });
  // A parser's ids only tell the calls of one text apart.
  return calls.map(({ name, arguments: args, complete }) => ({
    id: '',
    name,
    arguments: args as Json,
    complete,
  }));
}
