import type { FormatDeclaration } from './declaration.js';
import { shown } from './example.js';

const CALL = '{"name": "get_weather", "arguments": {"city": "Oslo"}}';
const RESPONSE = { open: '<tool_response>', close: '</tool_response>', body: 'json' } as const;

/** Formats that put JSON between tags, or behind one. */
export const TAGGED_JSON: readonly FormatDeclaration[] = [
  {
    id: 'hermes',
    title: 'JSON in <tool_call> tags',
    models: ['Hermes 2/3', 'Qwen 2.5', 'Qwen 3', 'QwQ', 'Arcee Trinity', 'models prompted in its style'],
    also: ['qwen3_coder', 'bare_json'],
    open: '<tool_call>',
    close: '</tool_call>',
    body: { kind: 'json' },
    result: RESPONSE,
    example: shown(`<tool_call>\n${CALL}\n</tool_call>`),
  },
  {
    id: 'longcat',
    title: 'JSON in <longcat_tool_call> tags',
    models: ['LongCat-Flash'],
    open: '<longcat_tool_call>',
    close: '</longcat_tool_call>',
    body: { kind: 'json' },
    result: RESPONSE,
    example: shown(`<longcat_tool_call>\n${CALL}\n</longcat_tool_call>`),
  },
  {
    id: 'jamba',
    title: 'A JSON array in <tool_calls> tags',
    models: ['Jamba 1.5'],
    open: '<tool_calls>',
    close: '</tool_calls>',
    body: { kind: 'json', array: true },
    result: RESPONSE,
    example: shown(`<tool_calls>[${CALL}]</tool_calls>`),
  },
  {
    id: 'nemotron_v2',
    title: 'A JSON array in <TOOLCALL> tags',
    models: ['Nemotron Nano v2'],
    open: '<TOOLCALL>',
    close: '</TOOLCALL>',
    body: { kind: 'json', array: true },
    result: { open: '<TOOL_RESPONSE>', close: '</TOOL_RESPONSE>', body: 'json' },
    example: shown(`<TOOLCALL>[${CALL}]</TOOLCALL>`),
  },
  {
    id: 'granite_20b_fc',
    title: 'JSON behind <function_call>',
    models: ['Granite 20B Function Calling'],
    open: '<function_call>',
    body: { kind: 'json' },
    after: ['</function_call>', '<|endoftext|>'],
    result: { open: '<function_response>', close: '</function_response>', body: 'json' },
    example: shown(`<function_call> ${CALL}`),
  },
  {
    id: 'functionary_v31',
    title: 'JSON arguments in <function=name> tags',
    models: ['Functionary 3.1', 'Llama 3.1 (custom tools)'],
    open: '<function={name}>',
    close: '</function>',
    body: { kind: 'json' },
    result: RESPONSE,
    example: shown('<function=get_weather>{"city": "Oslo"}</function>'),
  },
];
