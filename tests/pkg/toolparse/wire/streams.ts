import type { Json } from '../../../../src/pkg/toolparse/index.js';

type Event = { readonly [key: string]: Json };

const chunk = (delta: Event, finish_reason: string | null = null): Event => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (index: number, args: string, start: Event = {}): Event => ({
  index,
  ...start,
  function: { ...(start.name ? { name: start.name } : {}), arguments: args },
});
const block = (index: number, partial_json: string): Event => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json },
});
const parts = (...list: Event[]): Event => ({ candidates: [{ content: { role: 'model', parts: list } }] });
const cohere = (type: string, index: number, message: Event): Event => ({ type, index, delta: { message } });

/** A stream of each provider. All of them say "Hm." and call get_weather in Oslo 😀, and then now without arguments. */
export const STREAMS: Readonly<Record<string, readonly Event[]>> = {
  openai_chat: [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'H' }),
    chunk({ content: 'm.' }),
    chunk({ tool_calls: [piece(0, '', { id: 'c1', type: 'function', name: 'get_weather' })] }),
    chunk({ tool_calls: [piece(0, '{"city": "Os')] }),
    chunk({ tool_calls: [piece(0, 'lo 😀"}')] }),
    chunk({ tool_calls: [piece(1, '', { id: 'c2', type: 'function', name: 'now' })] }),
    chunk({}, 'tool_calls'),
    { object: 'chat.completion.chunk', choices: [], usage: { total_tokens: 9 } },
  ],
  openai_responses: [
    { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hm' },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: '.' },
    { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hm.' },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'get_weather', arguments: '' },
    },
    {
      type: 'response.function_call_arguments.delta',
      output_index: 1,
      item_id: 'fc_1',
      delta: '{"city": "Os',
    },
    { type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc_1', delta: 'lo 😀"}' },
    { type: 'response.function_call_arguments.done', output_index: 1, arguments: '{"city": "Oslo 😀"}' },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city": "Oslo 😀"}' },
    },
    { type: 'response.output_item.done', output_index: 2, item: { type: 'web_search_call', name: 'search' } },
    {
      type: 'response.output_item.added',
      output_index: 3,
      item: { type: 'function_call', id: 'fc_2', call_id: 'c2', name: 'now', arguments: '' },
    },
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  ],
  anthropic_messages: [
    { type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hm.' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'server_tool_use', id: 's', name: 'search' },
    },
    block(1, '{"query": "x"}'),
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'c1', name: 'get_weather', input: {} },
    },
    { type: 'ping' },
    block(2, ''),
    block(2, '{"city": "Os'),
    block(2, 'lo 😀"}'),
    { type: 'content_block_stop', index: 2 },
    {
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'tool_use', id: 'c2', name: 'now', input: {} },
    },
    { type: 'content_block_stop', index: 3 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ],
  gemini: [
    parts({ text: 'hidden', thought: true }),
    parts({ text: 'Hm.' }),
    parts({ functionCall: { id: 'c1', name: 'get_weather', willContinue: true } }),
    parts({
      functionCall: {
        partialArgs: [{ jsonPath: '$.city', stringValue: 'Os', willContinue: true }],
        willContinue: true,
      },
    }),
    parts({
      functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'lo 😀' }], willContinue: true },
    }),
    parts({ functionCall: {} }),
    {
      candidates: [
        { content: { parts: [{ functionCall: { id: 'c2', name: 'now' } }] }, finishReason: 'STOP' },
      ],
    },
  ],
  bedrock_converse: [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hm.' } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    {
      contentBlockStart: {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: 'c1', name: 'get_weather' } },
      },
    },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"city": "Os' } } } },
    { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: 'lo 😀"}' } } } },
    { contentBlockStop: { contentBlockIndex: 1 } },
    { contentBlockStart: { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'c2', name: 'now' } } } },
    { contentBlockStop: { contentBlockIndex: 2 } },
    { messageStop: { stopReason: 'tool_use' } },
    { metadata: { usage: { totalTokens: 9 } } },
  ],
  cohere_v2: [
    { type: 'message-start', id: 'm', delta: { message: { role: 'assistant' } } },
    cohere('tool-plan-delta', 0, { tool_plan: 'hidden' }),
    cohere('content-start', 0, { content: { type: 'text', text: '' } }),
    cohere('content-delta', 0, { content: { text: 'Hm.' } }),
    { type: 'content-end', index: 0 },
    cohere('tool-call-start', 0, {
      tool_calls: { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '' } },
    }),
    cohere('tool-call-delta', 0, { tool_calls: { function: { arguments: '{"city": "Os' } } }),
    cohere('tool-call-delta', 0, { tool_calls: { function: { arguments: 'lo 😀"}' } } }),
    { type: 'tool-call-end', index: 0 },
    cohere('tool-call-start', 1, { tool_calls: { id: 'c2', function: { name: 'now', arguments: 'null' } } }),
    { type: 'tool-call-end', index: 1 },
    { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
  ],
  cohere_v1: [
    { is_finished: false, event_type: 'stream-start', generation_id: 'g' },
    { is_finished: false, event_type: 'text-generation', text: 'Hm.' },
    {
      is_finished: false,
      event_type: 'tool-calls-chunk',
      tool_call_delta: { index: 0, name: 'get_weather' },
    },
    {
      is_finished: false,
      event_type: 'tool-calls-chunk',
      tool_call_delta: { index: 0, parameters: '{"city": "Oslo 😀"}' },
    },
    {
      is_finished: false,
      event_type: 'tool-calls-generation',
      tool_calls: [
        { name: 'get_weather', parameters: { city: 'Oslo 😀' } },
        { name: 'now', parameters: {} },
      ],
    },
    { is_finished: true, event_type: 'stream-end', finish_reason: 'COMPLETE', response: { text: 'Hm.' } },
  ],
  google_interactions: [
    { event_type: 'interaction.created', interaction: { status: 'in_progress', object: 'interaction' } },
    { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
    { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hm.' } },
    { event_type: 'step.stop', index: 0 },
    {
      event_type: 'step.start',
      index: 1,
      step: { type: 'function_call', id: 'c1', name: 'get_weather', arguments: {} },
    },
    { event_type: 'step.delta', index: 1, delta: { type: 'arguments_delta', arguments: '{"city": "Os' } },
    { event_type: 'step.delta', index: 1, delta: { type: 'arguments_delta', arguments: 'lo 😀"}' } },
    { event_type: 'step.stop', index: 1 },
    {
      event_type: 'step.start',
      index: 2,
      step: { type: 'function_call', id: 'c2', name: 'now', arguments: {} },
    },
    { event_type: 'step.stop', index: 2 },
    { event_type: 'interaction.completed', interaction: { status: 'requires_action' } },
  ],
  ollama: [
    { model: 'm', message: { role: 'assistant', content: 'Hm.', thinking: 'hidden' }, done: false },
    {
      message: {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'get_weather', arguments: { city: 'Oslo 😀' } } }],
      },
      done: false,
    },
    { message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'now' } }] }, done: false },
    { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
  ],
};

/** Server-sent events, as most providers send them. */
export function sse(events: readonly Json[], end = 'data: [DONE]\n\n'): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end;
}

/** One event a line. */
export function lines(events: readonly Json[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** The events of OpenAI Chat for these deltas. */
export function chatEvents(...deltas: readonly Event[]): readonly Event[] {
  return deltas.map((delta) => chunk(delta));
}

export const CHAT_END: Event = chunk({}, 'tool_calls');
