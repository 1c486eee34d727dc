import type { Json, JsonObject } from '../../../domain/json.js';
import type { Message } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';
import type { AgentRequest } from '../../../ports/agent-provider.js';

/** What a run tells its providers beside their options; it is not a part of what is asked. */
const OF_THE_RUN = new Set(['script', 'script_offset', 'step']);

/** How a provider is reached, which differs from machine to machine: what is asked is the same. */
const OF_THE_TRANSPORT = new Set([
  'base_url',
  'insecure_http',
  'proxy',
  'api_key_env',
  'timeout',
  'idle_timeout',
  'max_retries',
]);

/** A message as a recording has it. The provider's own form of it is left out: no other provider reads it. */
export function messageToJson(message: Message): JsonObject {
  switch (message.role) {
    case 'tool':
      return {
        role: 'tool',
        results: message.results.map(({ callId, tool, output, isError }) => ({
          call_id: callId,
          tool,
          output,
          is_error: isError,
        })),
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.calls.length > 0 ? { tool_calls: message.calls.map(callToJson) } : {}),
      };
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    default:
      throw message satisfies never;
  }
}

function callToJson({ id, name, arguments: args, complete }: RequestedCall): JsonObject {
  return { id, name, arguments: args, ...(complete === undefined ? {} : { complete }) };
}

export function toolsToJson({ tools }: AgentRequest): Json[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: parameters as Json,
  }));
}

export function optionsToJson({ options }: AgentRequest): JsonObject {
  return Object.fromEntries(Object.entries(comparable(options)).filter(([name]) => !OF_THE_RUN.has(name)));
}

/** The options that say what is asked. */
export function comparable(options: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !OF_THE_TRANSPORT.has(name)));
}

/** Which request of its run this is: those of the earlier steps come first. */
export function positionOf({ options, asked, messages }: AgentRequest): number {
  const { script_offset: offset } = options;
  const before = asked ?? messages.filter(({ role }) => role === 'assistant').length;
  return (typeof offset === 'number' ? offset : 0) + before;
}

export function stepOf({ step }: JsonObject): string {
  return typeof step === 'string' ? step : '';
}
