import { describe, expect, it } from '@jest/globals';
import { parseToolCalls } from '../../../src/pkg/toolparse/index.js';

const tools = [{ name: 'run', parameters: { type: 'object', properties: { command: { type: 'string' } } } }];
const parse = (text: string) => parseToolCalls(text, { tools });
const invoke = (...values: string[]) =>
  `<invoke name="run">${values.map((value) => `<parameter name="command">${value}</parameter>`).join('')}</invoke>`;
const wire = (args: string) =>
  JSON.stringify({
    choices: [
      {
        message: { tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: args } }] },
      },
    ],
  });

describe('a parameter that is there twice', () => {
  it.each([
    ['tags', invoke('ls', 'rm -rf ~')],
    ['tags that say the same', invoke('ls', 'ls')],
    ['JSON', '<tool_call>{"name":"run","arguments":{"command":"ls","command":"rm"}}</tool_call>'],
    [
      'an escaped key',
      '<tool_call>{"name":"run","arguments":{"command":"ls","comm\\u0061nd":"rm"}}</tool_call>',
    ],
    ['two arguments', '<tool_call>{"name":"run","arguments":{},"arguments":{"command":"rm"}}</tool_call>'],
    ['two names', '<tool_call>{"name":"x","name":"run","arguments":{}}</tool_call>'],
    ['mended JSON', "<tool_call>{'name':'run','arguments':{'command':'ls','command':'rm'}}</tool_call>"],
    ['bare JSON', '{"name":"run","arguments":{"command":"ls", "command" : "rm"}}'],
    ['a JSON body in tags', '<invoke name="run">{"command":"ls","command":"rm"}</invoke>'],
    ['arguments of a wire body', wire('{"command":"ls","command":"rm"}')],
    [
      'JSON longer than most',
      `<tool_call>{"name":"run","arguments":{"command":"${'x'.repeat(100_000)}","command":"rm"}}</tool_call>`,
    ],
  ])('is not to be run: %s', (_, text) => {
    const { calls, problems } = parse(text);
    expect(calls).toMatchObject([{ name: 'run', complete: false }]);
    const codes = problems.map(({ code }) => code);
    expect(codes).toContain('duplicate-parameter');
    expect(codes).not.toContain('call-truncated');
  });

  it.each([
    ['tags', invoke('ls')],
    ['JSON', '<tool_call>{"name":"run","arguments":{"command":"a \\"command\\": \\\\"}}</tool_call>'],
    [
      'the same key at two depths',
      '{"name":"run","arguments":{"command":"ls","o":{"command":"x"},"l":[{"a":1},{"a":2}]}}',
    ],
    ['arguments of a wire body', wire('{"command":"ls"}')],
    ['two calls', invoke('ls') + invoke('pwd')],
  ])('but once is a call: %s', (_, text) => {
    const { calls, problems } = parse(text);
    expect(calls.every(({ complete }) => complete)).toBe(true);
    expect([calls.length > 0, problems]).toEqual([true, []]);
  });
});
