import type { Json, JsonObject } from '../../../src/domain/json.js';
import { events, json } from './answers.js';
import { halves } from './halves.js';
import type { ModelWire, WireTurn } from './model-wire.js';

const USAGE = { input_tokens: 100, output_tokens: 20 };

/** Every turn has a signed thought, which must come back as it went out. */
function contentOf({ text, calls = [] }: WireTurn): readonly JsonObject[] {
  const thought = {
    type: 'thinking',
    thinking: `about ${text ?? calls.length}`,
    signature: `sig-${text ?? ''}==`,
  };
  const said = text === undefined ? [] : [{ type: 'text', text }];
  const used = calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }));
  return [thought, ...said, ...used];
}

export function wholeMessage(
  content: readonly Json[],
  stopReason: string,
  usage: JsonObject = USAGE,
): JsonObject {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
}

/** The events that the API would send this content with. */
export function eventsOf(
  content: readonly JsonObject[],
  stopReason: string,
  usage: JsonObject = USAGE,
): readonly JsonObject[] {
  return [
    startEvent(usage),
    { type: 'ping' },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: usage.output_tokens ?? 0, input_tokens: null },
    },
    { type: 'message_stop' },
  ];
}

export function startEvent(usage: JsonObject = USAGE): JsonObject {
  const message = { ...wholeMessage([], 'x', { ...usage, output_tokens: 1 }), stop_reason: null };
  return { type: 'message_start', message };
}

function blockEvents(block: JsonObject, index: number): readonly JsonObject[] {
  const [start, deltas] = opened(block);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function opened(block: JsonObject): readonly [JsonObject, readonly JsonObject[]] {
  switch (block.type) {
    case 'text':
      return [
        { ...block, text: '' },
        halves(String(block.text)).map((text) => ({ type: 'text_delta', text })),
      ];
    case 'thinking':
      return [
        { ...block, thinking: '', signature: '' },
        [
          ...halves(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature ?? '' },
        ],
      ];
    case 'tool_use':
      return [
        { ...block, input: {} },
        ['', ...halves(JSON.stringify(block.input))].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ];
    default:
      return [block, []];
  }
}

export const ANTHROPIC_WIRE: ModelWire = {
  provider: 'anthropic',
  env: { ANTHROPIC_API_KEY: 'key-of-anthropic-1234' },
  options: { model: 'claude-sonnet-4-5' },
  answer: (turn, stream) => {
    const reason = turn.calls?.length ? 'tool_use' : 'end_turn';
    const content = contentOf(turn);
    return stream ? events(eventsOf(content, reason)) : json(wholeMessage(content, reason));
  },
  beginning: (text) => events(begun(text), 'hang'),
  broken: (text) => events(begun(text), 'reset'),
  error: (status, message) =>
    json({ type: 'error', error: { type: 'some_error', message }, request_id: 'req_1' }, status),
  results: (body) =>
    blocksOf((body.messages as readonly JsonObject[]).at(-1)).flatMap((block) =>
      block.type === 'tool_result'
        ? [{ output: String(block.content), isError: block.is_error === true }]
        : [],
    ),
  callable: ({ tools = [], tool_choice: choice }) =>
    (choice as JsonObject | undefined)?.type === 'none'
      ? []
      : (tools as readonly JsonObject[]).map(({ name }) => String(name)),
  replayed: (body) =>
    (body.messages as readonly JsonObject[]).filter(({ role }) => role === 'assistant').map(blocksOf),
  spoken: contentOf,
};

function begun(text: string): readonly JsonObject[] {
  const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  return [
    startEvent(),
    block,
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ];
}

function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  return (message?.content ?? []) as readonly JsonObject[];
}
