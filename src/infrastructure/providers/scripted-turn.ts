import type { JsonObject } from '../../domain/json.js';
import type { Message } from '../../domain/message.js';
import type { RequestedCall } from '../../domain/tool-call.js';
import type { AgentRequest } from '../../ports/agent-provider.js';
import type { ScriptedCall } from './script.js';

/**
 * Which reply a request is for, by its place in the run and not by counting requests: so a run that is resumed in
 * another process goes on with the right one. Whoever asks without a run has a transcript that is whole.
 */
export function scriptPosition(request: AgentRequest, offset = offsetOf(request.options)): number {
  return offset + (request.asked ?? request.messages.filter(({ role }) => role === 'assistant').length);
}

/** How many replies the earlier steps of the run have used up. */
function offsetOf(options: JsonObject): number {
  const { script_offset: offset } = options;
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

/** Calls with ids: those without one get `call_001`, `call_002`, … counted over the transcript. */
export function numberedCalls(
  calls: readonly ScriptedCall[],
  messages: readonly Message[],
): readonly RequestedCall[] {
  const before = messages.reduce(
    (count, message) => count + (message.role === 'assistant' ? message.calls.length : 0),
    0,
  );
  return calls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${String(before + index + 1).padStart(3, '0')}`,
    name,
    arguments: args,
  }));
}
