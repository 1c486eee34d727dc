import type { FormatDeclaration } from './declaration.js';
import { shown } from './example.js';
import { lookAlikes } from './look-alikes.js';

const DEEPSEEK_WRAPPER = {
  open: lookAlikes('<｜tool▁calls▁begin｜>'),
  close: lookAlikes('<｜tool▁calls▁end｜>'),
};
const DEEPSEEK_RESULT = {
  open: '<｜tool▁output▁begin｜>',
  close: '<｜tool▁output▁end｜>',
  body: 'json',
} as const;
const CALL_END = lookAlikes('<｜tool▁call▁end｜>');

/** Formats whose mark names the tool, with its arguments as JSON behind it. */
export const NAMED_JSON: readonly FormatDeclaration[] = [
  {
    id: 'mistral',
    title: '[TOOL_CALLS] with an array of calls, or with a name and its arguments',
    models: ['Mistral 7B', 'Mistral Nemo', 'Mistral Small 3.2', 'Devstral', 'Ministral 3', 'Magistral'],
    open: [
      '[TOOL_CALLS] {name} [CALL_ID] {id} [ARGS]',
      '[TOOL_CALLS] {name} [ARGS]',
      '[TOOL_CALLS] {name}',
      '[TOOL_CALLS]',
    ],
    start: '{name} [ARGS]',
    body: { kind: 'json' },
    after: ['[/TOOL_CALLS]', '</s>'],
    result: { open: '[TOOL_RESULTS]', close: '[/TOOL_RESULTS]', body: 'json' },
    example: shown('[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}'),
  },
  {
    id: 'kimi_k2',
    title: 'An id that holds the name, and JSON arguments, between tokens',
    models: ['Kimi K2', 'Kimi K2 Thinking', 'Kimi K2.5'],
    open: '<|tool_call_begin|> {call} <|tool_call_argument_begin|>',
    close: '<|tool_call_end|>',
    wrapper: {
      open: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
      close: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    },
    body: { kind: 'json' },
    result: { open: '## Return of {id}', close: '<|im_end|>', body: 'json' },
    example: shown(
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
    ),
  },
  {
    id: 'deepseek_v3',
    title: 'The word "function", a name and fenced JSON between tokens',
    models: ['DeepSeek V3', 'DeepSeek V3-0324'],
    open: [' ```json', ' ```', ''].flatMap((fence) =>
      lookAlikes('<｜tool▁call▁begin｜>').map(
        (begin) => `${begin}function${begin.replace(/call.begin/, 'sep')}{name}${fence}`,
      ),
    ),
    close: [...CALL_END, ...CALL_END, ...CALL_END],
    wrapper: DEEPSEEK_WRAPPER,
    written: {
      open: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n',
      close: '\n```<｜tool▁call▁end｜>',
    },
    body: { kind: 'json' },
    result: DEEPSEEK_RESULT,
    example: shown(
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ),
  },
  {
    id: 'deepseek_v31',
    title: 'A name and JSON arguments between tokens',
    models: ['DeepSeek V3.1', 'DeepSeek V3.2-Exp'],
    open: lookAlikes('<｜tool▁call▁begin｜>').map(
      (begin) => `${begin}{name}${begin.replace(/call.begin/, 'sep')}`,
    ),
    close: CALL_END,
    wrapper: DEEPSEEK_WRAPPER,
    body: { kind: 'json' },
    result: DEEPSEEK_RESULT,
    example: shown(
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ),
  },
  {
    id: 'gpt_oss_harmony',
    title: 'A message to a function on the commentary channel',
    models: ['gpt-oss-20b', 'gpt-oss-120b'],
    open: [
      '<|start|>assistant<|channel|>{word} to=functions.{name}{any}<|message|>',
      '<|start|>assistant to=functions.{name}{any}<|message|>',
      '<|channel|>{word} to=functions.{name}{any}<|message|>',
      '<|start|>assistant<|channel|>{word} to={name}{any}<|message|>',
      '<|start|>assistant to={name}{any}<|message|>',
      '<|channel|>{word} to={name}{any}<|message|>',
    ],
    written: {
      open: '<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>',
      close: '<|call|>',
    },
    start: ['to=functions.{name}{any}<|message|>', 'to={name}{any}<|message|>'],
    body: { kind: 'json' },
    after: ['<|call|>', '<|end|>', '<|return|>'],
    result: {
      open: '<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>',
      close: '<|end|>',
      body: 'json',
    },
    example: shown(
      '<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>',
    ),
  },
  {
    id: 'functionary_v32',
    title: 'A name behind >>> and JSON arguments on the next line',
    models: ['Functionary 3.2', 'Functionary 2.x'],
    open: ['>>>{name}\n', '>>>{name}\r\n'],
    start: ['{name}\n', '{name}\r\n'],
    body: { kind: 'json' },
    after: ['<|eot_id|>', '<|stop|>'],
    declaredOnly: true,
    result: { open: '<|start_header_id|>tool<|end_header_id|>', close: '<|eot_id|>', body: 'json' },
    example: shown('>>>get_weather\n{"city": "Oslo"}'),
  },
];
