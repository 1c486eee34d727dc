import type { FormatDeclaration } from './declaration.js';
import { shown } from './example.js';

const OUTPUT = { open: '```tool_output', close: '```', body: 'json' } as const;

/** Formats that write calls as code. */
export const CODE_CALLS: readonly FormatDeclaration[] = [
  {
    id: 'lfm2',
    title: 'A list of Python calls, or of JSON, between <|tool_call_start|> and <|tool_call_end|>',
    models: ['LFM2', 'LFM2.5'],
    open: '<|tool_call_start|>',
    close: '<|tool_call_end|>',
    written: { open: '<|tool_call_start|>[', close: ']<|tool_call_end|>' },
    body: { kind: 'code' },
    result: { open: '<|tool_response_start|>', close: '<|tool_response_end|>', body: 'json' },
    example: shown('<|tool_call_start|>[get_weather(city="Oslo")]<|tool_call_end|>'),
  },
  {
    id: 'llama4_pythonic',
    title: 'A list of Python calls between <|python_start|> and <|python_end|>, or bare',
    models: ['Llama 4'],
    also: ['pythonic'],
    open: '<|python_start|>',
    close: ['<|python_end|>', '<|eom|>', '<|eot|>'],
    written: { open: '<|python_start|>[', close: ']<|python_end|>' },
    body: { kind: 'code' },
    result: { open: '<|header_start|>ipython<|header_end|>', close: '<|eot|>', body: 'json' },
    example: shown('<|python_start|>[get_weather(city="Oslo")]<|python_end|>'),
  },
  {
    id: 'olmo3_pythonic',
    title: 'Python calls, one a line, in <function_calls> tags',
    models: ['OLMo 3'],
    open: '<function_calls>',
    close: '</function_calls>',
    body: { kind: 'code' },
    result: { open: '<|im_start|>environment', close: '<|im_end|>', body: 'json' },
    example: shown('<function_calls>get_weather(city="Oslo")</function_calls>'),
  },
  {
    id: 'llama3_code',
    title: 'A call of a built-in tool behind <|python_tag|>',
    models: ['Llama 3.1', 'Llama 3.3'],
    open: '<|python_tag|>',
    body: { kind: 'code' },
    result: { open: '<|start_header_id|>ipython<|end_header_id|>', close: '<|eot_id|>', body: 'json' },
    example: shown('<|python_tag|>get_weather.call(city="Oslo")'),
  },
  {
    id: 'tool_code',
    title: 'Python calls in a tool_code fence',
    models: ['Gemini', 'Gemma 2', 'Gemma 3'],
    open: ['```tool_code', '```python tool_code'],
    close: '```',
    written: { open: '```tool_code\n', close: '\n```' },
    body: { kind: 'code' },
    declaredOnly: true,
    result: OUTPUT,
    example: shown('```tool_code\nprint(get_weather(city="Oslo"))\n```'),
  },
  {
    id: 'pythonic',
    title: 'A list of Python calls',
    models: ['Llama 3.2', 'ToolACE', 'Llama 4', 'models prompted in its style'],
    open: '',
    written: { open: '[', close: ']' },
    body: { kind: 'code' },
    declaredOnly: true,
    result: OUTPUT,
    example: shown('[get_weather(city="Oslo")]'),
  },
];
