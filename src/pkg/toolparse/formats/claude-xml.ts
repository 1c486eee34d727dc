import type { FormatDeclaration } from './declaration.js';

const RESULT = {
  open: '<function_results>\n<result>\n<tool_name>{name}</tool_name>\n<stdout>',
  close: '</stdout>\n</result>\n</function_results>',
  body: 'text',
} as const;

/** Claude's calls as text, in the form of 2023 and the one since; any XML prefix before the tag names is the same format. */
export const CLAUDE_XML: readonly FormatDeclaration[] = [
  {
    id: 'anthropic_xml',
    title: 'An <invoke> tag with a <parameter> tag for each argument',
    models: ['Claude (text protocol)', 'models prompted in its style'],
    open: ['<{ns}invoke name="{name}">', '<{ns}invoke name="{name}" />'],
    close: '</{ns}invoke>',
    wrapper: { open: '<{ns}function_calls>', close: '</{ns}function_calls>' },
    body: {
      kind: 'tags',
      parameter: { open: '<{ns}parameter name="{key}">', close: '</{ns}parameter>' },
    },
    result: RESULT,
    example: {
      name: 'get_weather',
      arguments: { city: 'Oslo' },
      text: [
        '<function_calls>',
        '<invoke name="get_weather">',
        '<parameter name="city">Oslo</parameter>',
        '</invoke>',
        '</function_calls>',
      ].join('\n'),
    },
  },
  {
    id: 'anthropic_xml_2023',
    title: 'An <invoke> tag with a <tool_name> and a tag named after each argument',
    models: ['Claude 2', 'Claude 3 (text protocol)'],
    open: '<{ns}invoke> <tool_name> {name} </tool_name> <parameters>',
    close: '</parameters> </{ns}invoke>',
    wrapper: { open: '<{ns}function_calls>', close: '</{ns}function_calls>' },
    body: { kind: 'tags', parameter: { open: '<{key}>', close: '</{key}>' } },
    result: RESULT,
    example: {
      name: 'get_weather',
      arguments: { city: 'Oslo' },
      text: [
        '<function_calls>',
        '<invoke>',
        '<tool_name>get_weather</tool_name>',
        '<parameters>',
        '<city>Oslo</city>',
        '</parameters>',
        '</invoke>',
        '</function_calls>',
      ].join('\n'),
    },
  },
];
