import { describe, expect, it } from '@jest/globals';
import { type ParseOptions, parseToolCalls, type ToolSpec } from '../../../../src/pkg/toolparse/index.js';
import { codes } from '../fixtures.js';

const read = (
  parameters: ToolSpec['parameters'],
  args: string,
  undeclaredArguments?: ParseOptions['undeclaredArguments'],
) =>
  parseToolCalls(`<tool_call>{"name":"f","arguments":${args}}</tool_call>`, {
    tools: [{ name: 'f', parameters }],
    undeclaredArguments,
  });
const dropped = (parameters: ToolSpec['parameters'], args: string) =>
  read(parameters, args, 'drop').calls[0]?.arguments;

describe('arguments that the schema has no place for', () => {
  const closed = { properties: { a: { type: 'integer' } }, additionalProperties: false };

  it('stay when the caller asks, so that a validator can refuse them', () => {
    const result = read(closed, '{"a":1,"dry_run":true}', 'keep');
    expect([result.calls[0]?.arguments, result.problems]).toEqual([{ a: 1, dry_run: true }, []]);
  });

  it("stay in a provider's own calls, which must be answered as they are", () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1,"b":2}' } };
    const body = { choices: [{ message: { tool_calls: [call] } }] };
    const { calls } = parseToolCalls(body, { tools: [{ name: 'f', parameters: closed }] });
    expect(calls[0]?.arguments).toEqual({ a: 1, b: 2 });
  });

  it.each([
    ['forbids others', closed, '{"a":1,"b":2}', { a: 1 }],
    ['forbids one', { properties: { b: false } }, '{"a":1,"b":2}', { a: 1 }],
    ['has patterns only', { patternProperties: { '^x-': {} } }, '{"x-a":1,"y":2}', { 'x-a': 1 }],
    ['only names some', { properties: { a: {} } }, '{"a":1,"b":2}', { a: 1, b: 2 }],
    ['says nothing', {}, '{"a":1}', { a: 1 }],
    [
      'has alternatives, of which one fits',
      {
        oneOf: [
          { properties: { kind: { const: 'a' }, a: {} }, required: ['kind'], additionalProperties: false },
          { properties: { kind: { enum: ['b'] }, b: {} }, required: ['kind'], additionalProperties: false },
        ],
      },
      '{"kind":"b","a":1,"b":2}',
      { kind: 'b', b: 2 },
    ],
  ])('are left out where the schema %s', (_, parameters, args, expected) => {
    expect(read(parameters as ToolSpec['parameters'], args).calls[0]?.arguments).toEqual(expected);
  });

  it.each([
    ['minicpm5_xml', '<function name="f"><param name="a">1</param><param name="b">2</param></function>'],
    ['morph_xml', '<f><a>1</a><b>2</b></f>'],
    ['yaml_xml', '<f>\na: 1\nb: 2\n</f>'],
  ])('are markup in %s, whose readers know the names of a tool', (_, text) => {
    const parameters = { type: 'object', properties: { a: { type: 'integer' } } };
    const tools = [{ name: 'f', parameters }];
    const result = parseToolCalls(text, { tools });
    expect([result.calls[0]?.arguments, codes(result)]).toEqual([{ a: 1 }, ['arguments-dropped']]);
    const kept = parseToolCalls(text, { tools, undeclaredArguments: 'keep' });
    expect(Object.keys(kept.calls[0]?.arguments ?? {})).toEqual(['a', 'b']);
  });

  it('are left out when asked, and named', () => {
    const result = read(closed, '{"a":1,"b":2}', 'drop');
    expect([result.calls[0]?.arguments, codes(result)]).toEqual([{ a: 1 }, ['arguments-dropped']]);
    expect(result.calls[0]?.repaired).toBe(true);
    expect(result.problems[0]?.message).toContain('b');
  });

  it.each([
    ['named members and nothing else said', { properties: { a: {} } }, '{"a":1,"b":2}', { a: 1 }],
    ['nothing said at all', { type: 'object' }, '{"a":1}', { a: 1 }],
    ['others allowed', { properties: { a: {} }, additionalProperties: true }, '{"b":2}', { b: 2 }],
    ['a pattern', { patternProperties: { '^x-': { type: 'number' } } }, '{"x-a":1,"y":2}', { 'x-a': 1 }],
    ['a member that is forbidden', { properties: { a: {}, b: false } }, '{"a":1,"b":2}', { a: 1 }],
    [
      'an object inside',
      { properties: { o: { properties: { a: {} } } } },
      '{"o":{"a":1,"b":2}}',
      { o: { a: 1 } },
    ],
    [
      'a branch',
      { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      '{"a":1,"c":2}',
      { a: 1 },
    ],
  ])('follow the schema: %s', (_, parameters, args, expected) => {
    expect(dropped(parameters as ToolSpec['parameters'], args)).toEqual(expected);
  });

  it('never try a pattern that may take for ever', () => {
    const key = `${'a'.repeat(60)}!`;
    const started = performance.now();
    const parameters = { patternProperties: { '^(a+)+$': false }, additionalProperties: true };
    expect(dropped(parameters, `{"${key}":1}`)).toEqual({});
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
