import type { FormatDeclaration, TagBody } from './declaration.js';
import { shown } from './example.js';

const RESPONSE = { open: '<tool_response>', close: '</tool_response>', body: 'text' } as const;
const FUNCTION_OPEN = ['function', 'call', 'tool', 'invoke'].flatMap((tag) => [
  `<${tag}={name}/>`,
  `<${tag}={name}>`,
  `<${tag}="{name}">`,
  `<${tag}={name}\n`,
  `<${tag}={name}\r\n`,
]);
const FUNCTION: TagBody = {
  kind: 'tags',
  trim: 'line',
  parameter: [
    { open: '<parameter={key}>', close: '</parameter>' },
    { open: '<parameter name="{key}">', close: '</parameter>' },
    { open: '<parameter name={key}>', close: '</parameter>' },
    { open: '<param name="{key}">', close: '</param>' },
    { open: '<parameter>{name}</parameter>', close: '' },
  ],
  skip: ['<parameter/>', '<parameter>{any}</parameter>'],
};
const ARGUMENT_PAIRS: TagBody = {
  kind: 'tags',
  parameter: { open: '<arg_key>{key}</arg_key> <arg_value>', close: '</arg_value>' },
  skip: ['<arg_key>{key}</arg_key>', '<tool_sep>'],
};

/** Formats with a tag for each parameter, whose values are raw text. */
export const TAGGED_VALUES: readonly FormatDeclaration[] = [
  {
    id: 'qwen3_coder',
    title: 'A <function=name> tag with a <parameter=key> tag for each argument',
    models: ['Qwen3-Coder', 'Qwen 3.5', 'Qwen 3.6', 'Nemotron 3 Nano', 'MiMo'],
    also: ['hermes', 'functionary_v31'],
    written: { open: '<function={name}>', close: '</function>' },
    open: [
      ...FUNCTION_OPEN,
      '<function>{name}</function>',
      '<function> <name>{name}</name>',
      '<name>{name}</name>',
    ],
    close: ['</function>', '</call>', '</tool>', '</invoke>'],
    wrapper: { open: '<tool_call>', close: '</tool_call>' },
    body: FUNCTION,
    result: RESPONSE,
    example: shown(
      '<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>',
    ),
  },
  {
    id: 'seed_oss',
    title: 'The same inside <seed:tool_call>',
    models: ['Seed-OSS'],
    open: FUNCTION_OPEN,
    close: '</function>',
    written: { open: '<function={name}>', close: '</function>' },
    wrapper: { open: '<seed:tool_call>', close: '</seed:tool_call>' },
    body: FUNCTION,
    result: RESPONSE,
    example: shown(
      '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>',
    ),
  },
  {
    id: 'hy_v3',
    title: 'A name, <tool_sep>, and pairs of <arg_key> and <arg_value>',
    models: ['Hunyuan 3'],
    open: '<tool_call>{name} <tool_sep>',
    close: '</tool_call>',
    wrapper: { open: '<tool_calls>', close: '</tool_calls>' },
    body: ARGUMENT_PAIRS,
    result: RESPONSE,
    example: shown(
      '<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n</tool_calls>',
    ),
  },
  {
    id: 'glm45',
    title: 'A name, and pairs of <arg_key> and <arg_value>, in <tool_call> tags',
    models: ['GLM-4.5', 'GLM-4.6'],
    open: '<tool_call> {name}',
    close: '</tool_call>',
    written: { open: '<tool_call>{name}', close: '</tool_call>' },
    body: ARGUMENT_PAIRS,
    result: RESPONSE,
    example: shown(
      '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>',
    ),
  },
  {
    id: 'minicpm5_xml',
    title: 'A <function name="…"> tag with a <param name="…"> tag for each argument',
    models: ['MiniCPM 5'],
    open: ['<function name="{name}">', '<function name="{name}" />'],
    close: '</function>',
    body: {
      kind: 'tags',
      parameter: [
        { open: '<param name="{key}">', close: '</param>' },
        { open: '<param name="{key}" type="{type}">', close: '</param>' },
        { open: '<parameter name="{key}">', close: '</parameter>' },
        { open: '<parameter={key}>', close: '</parameter>' },
      ],
    },
    result: RESPONSE,
    example: shown('<function name="get_weather"><param name="city">Oslo</param></function>'),
  },
  {
    id: 'kimi_k3',
    title: 'A call and its arguments as <|open|>…<|close|> elements',
    models: ['Kimi K3'],
    written: { open: '<|open|>call tool="{name}" index="1"<|sep|>', close: '<|close|>call<|sep|>' },
    open: ['<|open|>call tool="{name}" index="{any}"<|sep|>', '<|open|>call tool="{name}"<|sep|>'],
    close: '<|close|>call<|sep|>',
    wrapper: { open: '<|open|>tools<|sep|>', close: '<|close|>tools<|sep|>' },
    body: {
      kind: 'tags',
      parameter: {
        open: '<|open|>argument key="{key}" type="{type}"<|sep|>',
        close: '<|close|>argument<|sep|>',
      },
    },
    result: {
      open: '<|open|>message role="tool" tool="{name}"<|sep|>',
      close: '<|close|>message<|sep|>',
      body: 'text',
    },
    example: shown(
      '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    ),
  },
  {
    id: 'minimax_m3',
    title: 'Nested tags, each behind a mark of its own',
    models: ['MiniMax M3'],
    open: [']<]minimax[>[<invoke name="{name}">', ']<]minimax[>[<invoke name="{name}" />'],
    close: ']<]minimax[>[</invoke>',
    wrapper: { open: ']<]minimax[>[<tool_call>', close: ']<]minimax[>[</tool_call>' },
    body: {
      kind: 'tags',
      parameter: { open: ']<]minimax[>[<{key}>', close: ']<]minimax[>[</{key}>' },
      nested: ']<]minimax[>[',
    },
    result: { open: '<response>', close: '</response>', body: 'text' },
    example: shown(
      ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Oslo]<]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    ),
  },
  {
    id: 'gemma4',
    title: 'A name and an object with strings between <|"|> marks',
    models: ['Gemma 4'],
    open: '<|tool_call>call:{name}',
    close: '<tool_call|>',
    body: { kind: 'quoted', quote: '<|"|>' },
    result: { open: '<|tool_response>response:{name}', close: '<tool_response|>', body: 'json' },
    example: shown('<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}<tool_call|>'),
  },
  {
    id: 'functiongemma',
    title: 'A name and an object with strings between <escape> marks',
    models: ['FunctionGemma'],
    open: '<start_function_call>call:{name}',
    close: '<end_function_call>',
    body: { kind: 'quoted', quote: '<escape>' },
    result: {
      open: '<start_function_response>response:{name}',
      close: '<end_function_response>',
      body: 'json',
    },
    example: shown('<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>'),
  },
];
