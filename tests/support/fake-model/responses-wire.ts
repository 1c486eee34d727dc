import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import { events, json, type StreamEnd } from './answers.js';
import { resultOf } from './chat-wire.js';
import type { Answer } from './fake-model-server.js';
import { halves } from './halves.js';
import type { ModelWire, WireTurn } from './model-wire.js';

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

/** Every turn has an encrypted thought, which must come back as it went out. */
export function itemsOf({ text, calls = [] }: WireTurn): readonly ResponseOutputItem[] {
  const thought: ResponseOutputItem = {
    id: `rs_${text ?? calls.length}`,
    type: 'reasoning',
    summary: [],
    encrypted_content: `gAAA${text ?? ''}==`,
  };
  const said: ResponseOutputItem[] =
    text === undefined
      ? []
      : [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ];
  const made = calls.map(
    ({ id, name, arguments: args }): ResponseOutputItem => ({
      id: `fc_${id}`,
      type: 'function_call',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    }),
  );
  return [thought, ...said, ...made];
}

export function responseOf(items: readonly ResponseOutputItem[], more: JsonObject = {}): JsonObject {
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5',
    error: null,
    incomplete_details: null,
    output: items as unknown as Json,
    usage: USAGE,
    ...more,
  };
}

/** The events that the API would stream these items with. */
export function eventsOf(items: readonly ResponseOutputItem[], response = responseOf(items)): JsonObject[] {
  const type = `response.${String(response.status)}`;
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap((item, index) => itemEvents(item as unknown as JsonObject, index)),
    { type, response },
  ];
}

function itemEvents(item: JsonObject, index: number): JsonObject[] {
  const at = { output_index: index, item_id: item.id ?? '' };
  const [part] = (item.type === 'message' ? item.content : []) as readonly JsonObject[];
  const texts = part ? halves(String(part.text)) : [];
  const args = item.type === 'function_call' ? halves(String(item.arguments)) : [];
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } },
    ...texts.map((delta) => ({ type: 'response.output_text.delta', ...at, content_index: 0, delta })),
    ...args.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function begun(text: string, end: StreamEnd): Answer {
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: text };
  return events([{ type: 'response.created', response: responseOf([]) }, delta], end);
}

function inputOf(body: JsonObject): readonly JsonObject[] {
  return body.input as readonly JsonObject[];
}

const isOwn = ({ type, role }: JsonObject) =>
  role !== 'user' && type !== undefined && type !== 'function_call_output';

export const RESPONSES_WIRE: ModelWire = {
  provider: 'openai',
  env: { OPENAI_API_KEY: 'key-of-openai-1234' },
  options: { model: 'gpt-5' },
  answer: (turn, stream) => {
    const items = itemsOf(turn);
    return stream ? events(eventsOf(items)) : json(responseOf(items));
  },
  beginning: (text) => begun(text, 'hang'),
  broken: (text) => begun(text, 'reset'),
  error: (status, message) =>
    json({ error: { message, type: 'some_error', param: null, code: null } }, status),
  results: (body) => {
    const input = inputOf(body);
    const last = input.findLastIndex(({ type }) => type !== 'function_call_output');
    return input.slice(last + 1).map(({ output }) => resultOf(output));
  },
  callable: ({ tools = [], tool_choice: choice }) =>
    choice === 'none' ? [] : (tools as readonly JsonObject[]).map(({ name }) => String(name)),
  // A turn begins with its thought.
  replayed: (body) =>
    inputOf(body)
      .filter(isOwn)
      .reduce<JsonObject[][]>((turns, item) => {
        if (item.type === 'reasoning') turns.push([item]);
        else turns.at(-1)?.push(item);
        return turns;
      }, []),
  spoken: itemsOf,
};
