import type { TurnInput } from '../domain/effect.js';
import type { Json } from '../domain/json.js';
import type { AssistantMessage } from '../domain/message.js';
import type { RequestedCall } from '../domain/tool-call.js';
import type { FormatDeclaration } from '../pkg/toolparse/formats/declaration.js';
import type { FormatChoice } from '../pkg/toolparse/types.js';
import type { LiveStep } from './step-effects.js';

/** The calls of a reply: as the provider listed them, or, where it lists none, read out of the text of an agent that only writes text. */
export function readCalls(
  message: AssistantMessage,
  live: LiveStep,
  { offerTools }: TurnInput,
): readonly RequestedCall[] | Promise<readonly RequestedCall[]> {
  const isText = live.request.agent.toolProtocol === 'text';
  return isText && offerTools && message.calls.length === 0
    ? parseText(message.content, live)
    : message.calls;
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
