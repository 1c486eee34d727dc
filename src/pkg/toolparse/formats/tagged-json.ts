import type { FormatDeclaration } from './declaration.js';

const EXAMPLE = { name: 'get_weather', arguments: { city: 'Oslo' } };

/** Formats that put JSON behind a mark of their own. */
export const TAGGED_JSON: readonly FormatDeclaration[] = [
  {
    id: 'hermes',
    title: 'JSON in <tool_call> tags',
    models: ['Hermes 2/3', 'Qwen 2.5', 'Qwen 3', 'QwQ', 'Ernie 4.5', 'Granite 4', 'Reka Edge'],
    open: '<tool_call>',
    close: '</tool_call>',
    body: { kind: 'json' },
    result: { open: '<tool_response>', close: '</tool_response>', body: 'json' },
    example: {
      ...EXAMPLE,
      text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    },
  },
  {
    id: 'mistral',
    title: '[TOOL_CALLS] with an array of calls, or with a name and its arguments',
    models: ['Mistral 7B', 'Mistral Nemo', 'Mistral Small 3.2', 'Devstral', 'Ministral 3'],
    open: [
      '[TOOL_CALLS] {name} [CALL_ID] {id} [ARGS]',
      '[TOOL_CALLS] {name} [ARGS]',
      '[TOOL_CALLS] {name}',
      '[TOOL_CALLS]',
    ],
    body: { kind: 'json' },
    result: { open: '[TOOL_RESULTS]', close: '[/TOOL_RESULTS]', body: 'json' },
    example: { ...EXAMPLE, text: '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}' },
  },
  {
    id: 'llama3_json',
    title: 'JSON behind <|python_tag|>, several separated by semicolons',
    models: ['Llama 3.1', 'Llama 3.2', 'Llama 3.3'],
    open: '<|python_tag|>',
    body: { kind: 'json', arguments: 'parameters' },
    result: { open: '<|start_header_id|>ipython<|end_header_id|>', close: '<|eot_id|>', body: 'json' },
    example: { ...EXAMPLE, text: '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}' },
  },
  {
    id: 'functionary_v31',
    title: 'JSON arguments in <function=name> tags',
    models: ['Functionary 3.1', 'Llama 3.1 (custom tools)'],
    open: '<function={name}>',
    close: '</function>',
    body: { kind: 'json' },
    result: { open: '<tool_response>', close: '</tool_response>', body: 'json' },
    example: { ...EXAMPLE, text: '<function=get_weather>{"city": "Oslo"}</function>' },
  },
];
