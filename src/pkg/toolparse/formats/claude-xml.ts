import type { FormatDeclaration, TagBody } from './declaration.js';
import { shown } from './example.js';
import { lookAlikes } from './look-alikes.js';

const RESULT = {
  open: '<function_results>\n<result>\n<tool_name>{name}</tool_name>\n<stdout>',
  close: '</stdout>\n</result>\n</function_results>',
  body: 'text',
} as const;
/** The first as it is meant, the others as it is also written. */
const PARAMETERS = [
  '<{ns}parameter name="{key}">',
  '<{ns}parameter name="{key}" type="{type}">',
  '<{ns}parameter type="{type}" name="{key}">',
  '<{ns}parameter name = "{key}" >',
  '<{ns}parameter name={key}>',
];
const INVOKE = {
  open: [
    '<{ns}invoke name="{name}">',
    '<{ns}invoke name="{name}" />',
    '<{ns}invoke name="{name}" id="{id}">',
    '<{ns}invoke id="{id}" name="{name}">',
    '<{ns}invoke name = "{name}" >',
    '<{ns}invoke name={name}>',
  ],
  close: '</{ns}invoke>',
  body: {
    kind: 'tags',
    parameter: PARAMETERS.map((open) => ({ open, close: '</{ns}parameter>' })),
  },
} as const satisfies Partial<FormatDeclaration>;
const DSML_BODY: TagBody = {
  kind: 'tags',
  parameter: [
    { open: '<｜DSML｜parameter name="{key}" string="{type}">', close: '</｜DSML｜parameter>' },
    { open: '<｜DSML｜parameter name="{key}">', close: '</｜DSML｜parameter>' },
  ],
};
const DSML = {
  open: ['<｜DSML｜invoke name="{name}">', '<｜DSML｜invoke name="{name}" />'],
  close: '</｜DSML｜invoke>',
  body: DSML_BODY,
  result: { open: '<function_results>\n<result>', close: '</result>\n</function_results>', body: 'text' },
} as const satisfies Partial<FormatDeclaration>;

/** Calls as `invoke` tags: Claude's, in the form of 2023 and the one since, and those of models that took after it. */
export const CLAUDE_XML: readonly FormatDeclaration[] = [
  {
    ...INVOKE,
    id: 'anthropic_xml',
    title: 'An <invoke> tag with a <parameter> tag for each argument',
    models: ['Claude (text protocol)', 'models prompted in its style'],
    also: ['anthropic_xml_2023'],
    wrapper: { open: '<{ns}function_calls>', close: '</{ns}function_calls>' },
    result: RESULT,
    example: shown(
      [
        '<function_calls>',
        '<invoke name="get_weather">',
        '<parameter name="city">Oslo</parameter>',
        '</invoke>',
        '</function_calls>',
      ].join('\n'),
    ),
  },
  {
    id: 'anthropic_xml_2023',
    title: 'An <invoke> tag with a <tool_name> and a tag named after each argument',
    models: ['Claude 2', 'Claude 3 (text protocol)'],
    open: [
      '<{ns}invoke> <tool_name> {name} </tool_name> <parameters>',
      '<{ns}invoke> <tool_name> {name} </tool_name> <parameters />',
    ],
    close: ['</parameters> </{ns}invoke>', '</{ns}invoke>'],
    written: {
      open: '<invoke>\n<tool_name>{name}</tool_name>\n<parameters>',
      close: '</parameters>\n</invoke>',
    },
    wrapper: { open: '<{ns}function_calls>', close: '</{ns}function_calls>' },
    body: { kind: 'tags', parameter: { open: '<{key}>', close: '</{key}>' } },
    result: RESULT,
    example: shown(
      [
        '<function_calls>',
        '<invoke>',
        '<tool_name>get_weather</tool_name>',
        '<parameters>',
        '<city>Oslo</city>',
        '</parameters>',
        '</invoke>',
        '</function_calls>',
      ].join('\n'),
    ),
  },
  {
    ...INVOKE,
    id: 'minimax_m2',
    title: 'Claude\u2019s tags inside <minimax:tool_call>',
    models: ['MiniMax M2', 'MiniMax M2.1', 'MiniMax M2.5'],
    wrapper: { open: '<minimax:tool_call>', close: '</minimax:tool_call>' },
    result: { open: '<response>', close: '</response>', body: 'text' },
    example: shown(
      '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Oslo</parameter>\n</invoke>\n</minimax:tool_call>',
    ),
  },
  {
    ...INVOKE,
    id: 'dots',
    title: 'Claude\u2019s tags inside <dots_function_call>',
    models: ['dots.llm'],
    wrapper: { open: '<dots_function_call>', close: '</dots_function_call>' },
    result: { open: '<dots_function_results>', close: '</dots_function_results>', body: 'text' },
    example: shown(
      '<dots_function_call><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke></dots_function_call>',
    ),
  },
  {
    ...INVOKE,
    id: 'step3',
    title: 'Claude\u2019s tags with the prefix steptml: between tokens',
    models: ['Step 3'],
    open: lookAlikes('<｜tool▁call▁begin｜>').map((begin) => `${begin} <{ns}invoke name="{name}">`),
    close: lookAlikes('<｜tool▁call▁end｜>').map((end) => `</{ns}invoke> ${end}`),
    written: {
      open: '<｜tool▁call▁begin｜><invoke name="{name}">',
      close: '</invoke><｜tool▁call▁end｜>',
    },
    wrapper: { open: lookAlikes('<｜tool▁calls▁begin｜>'), close: lookAlikes('<｜tool▁calls▁end｜>') },
    result: { open: '<｜tool▁output▁begin｜>', close: '<｜tool▁output▁end｜>', body: 'text' },
    example: shown(
      '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    ),
  },
  {
    ...DSML,
    id: 'deepseek_v32_dsml',
    title: 'DSML tags that say which values are strings, in function_calls',
    models: ['DeepSeek V3.2'],
    wrapper: { open: '<｜DSML｜function_calls>', close: '</｜DSML｜function_calls>' },
    example: shown(
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ),
  },
  {
    ...DSML,
    id: 'deepseek_v4_dsml',
    title: 'DSML tags that say which values are strings, in tool_calls',
    models: ['DeepSeek V4'],
    wrapper: { open: '<｜DSML｜tool_calls>', close: '</｜DSML｜tool_calls>' },
    example: shown(
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ),
  },
];
