import type { FormatDeclaration } from './declaration.js';
import { shown } from './example.js';

const CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const RESPONSE = { open: '<tool_response>', close: '</tool_response>', body: 'json' } as const;

/** Formats that put JSON, which names the tool, behind a token of their own. */
export const TOKEN_JSON: readonly FormatDeclaration[] = [
  {
    id: 'granite3',
    title: 'A JSON array behind <|tool_call|>',
    models: ['Granite 3.0', 'Granite 3.1', 'Granite 3.2', 'Granite 3.3'],
    also: ['hermes'],
    open: '<|tool_call|>',
    body: { kind: 'json', array: true },
    after: ['<|end_of_text|>'],
    result: { open: '<|start_of_role|>tool_response<|end_of_role|>', close: '<|end_of_text|>', body: 'json' },
    example: shown(`<|tool_call|>[${CALL}]`),
  },
  {
    id: 'phi4_mini',
    title: 'A JSON array behind functools',
    models: ['Phi-4-mini'],
    open: 'functools',
    body: { kind: 'json', array: true },
    result: RESPONSE,
    example: shown(`functools[${CALL}]`),
  },
  {
    id: 'internlm2',
    title: 'JSON between <|action_start|><|plugin|> and <|action_end|>',
    models: ['InternLM 2', 'InternLM 2.5', 'InternLM 3'],
    open: ['<|action_start|> <|plugin|>', '<|action_start|>'],
    close: '<|action_end|>',
    body: { kind: 'json', arguments: 'parameters' },
    result: { open: '<|im_start|>environment name=<|plugin|>', close: '<|im_end|>', body: 'json' },
    example: shown(
      '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Oslo"}}\n<|action_end|>',
    ),
  },
  {
    id: 'llama3_json',
    title: 'JSON behind <|python_tag|> or bare, several separated by semicolons',
    models: ['Llama 3.1', 'Llama 3.2', 'Llama 3.3'],
    also: ['llama3_code', 'bare_json'],
    open: '<|python_tag|>',
    body: { kind: 'json', arguments: 'parameters' },
    after: ['<|eom_id|>', '<|eot_id|>'],
    result: { open: '<|start_header_id|>ipython<|end_header_id|>', close: '<|eot_id|>', body: 'json' },
    example: shown('<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}'),
  },
  {
    id: 'cohere',
    title: 'A JSON array between <|START_ACTION|> and <|END_ACTION|>',
    models: ['Command R7B', 'Command A', 'Cohere2 MoE'],
    open: '<|START_ACTION|>',
    close: '<|END_ACTION|>',
    body: { kind: 'json', name: 'tool_name', arguments: 'parameters', array: true },
    result: { open: '<|START_TOOL_RESULT|>', close: '<|END_TOOL_RESULT|>', body: 'json' },
    example: shown(
      '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}]<|END_ACTION|>',
    ),
  },
  {
    id: 'gigachat3',
    title: 'JSON behind <|function_call|>, or in a message of the role "function call"',
    models: ['GigaChat 3', 'GigaChat 3.1'],
    open: ['<|function_call|>', '<|message_sep|> function call<|role_sep|>'],
    body: { kind: 'json' },
    after: ['</s>', '<|message_sep|>'],
    result: { open: 'function result<|role_sep|>', close: '<|message_sep|>', body: 'json' },
    example: shown(`<|function_call|>${CALL}`),
  },
  {
    id: 'apertus',
    title: 'A JSON array of objects that the name is the only key of, behind <|tools_prefix|>',
    models: ['Apertus'],
    open: '<|tools_prefix|>',
    close: '<|tools_suffix|>',
    body: { kind: 'json', keyed: true, array: true },
    result: RESPONSE,
    example: shown('<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>'),
  },
  {
    id: 'inkling',
    title: 'JSON in a message of <|content_invoke_tool_json|>',
    models: ['Inkling'],
    open: ['<|content_invoke_tool_json|>', '<|message_model|>{word}<|content_invoke_tool_json|>'],
    written: { open: '<|message_model|>{name}<|content_invoke_tool_json|>', close: '<|end_message|>' },
    close: '<|end_message|>',
    body: { kind: 'json', arguments: 'args' },
    result: { open: '<|message_tool|>{name}<|content_text|>', close: '<|end_message|>', body: 'json' },
    example: shown(
      '<|message_model|>get_weather<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Oslo"}}<|end_message|>',
    ),
  },
];
