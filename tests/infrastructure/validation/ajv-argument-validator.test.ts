import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../src/domain/json.js';
import { createTool } from '../../../src/domain/tool.js';
import { AjvArgumentValidator } from '../../../src/infrastructure/validation/ajv-argument-validator.js';

const validator = new AjvArgumentValidator();
const toolOf = (parameters: JsonSchema) => createTool({ name: 'probe', parameters });
const tool = toolOf({
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    mode: { type: 'string', enum: ['write', 'append'] },
    limit: { type: 'integer', minimum: 1 },
    deep: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['path'],
});
const problemsOf = (args: Json, of = tool) => {
  const result = validator.validate(of, args);
  return result.ok ? [] : result.problems;
};

describe('AjvArgumentValidator', () => {
  it('gives valid arguments back as they are', () => {
    const args = { path: 'a', limit: 3, deep: { n: 1.5 }, tags: ['x'] };
    const result = validator.validate(tool, args);
    expect(result).toEqual({ ok: true, arguments: args });
    expect(result.ok && result.arguments).toBe(args);
  });

  it.each([
    ['{"path":"a"}', { path: 'a' }],
    [' {"path" : "a\\u0062"} ', { path: 'ab' }],
    ['{"path":"{\\"path\\":1,\\"path\\":2}"}', { path: '{"path":1,"path":2}' }],
    ['{"path":"a\\\\","deep":{"n":1}}', { path: 'a\\', deep: { n: 1 } }],
  ])('reads arguments that came as the text %s', (text, args) => {
    expect(validator.validate(tool, text)).toEqual({ ok: true, arguments: args });
  });

  it.each([[null], [undefined as unknown as Json], [''], ['  '], [{}]])(
    'takes %p for no arguments',
    (args) => {
      expect(validator.validate(toolOf({}), args)).toEqual({ ok: true, arguments: {} });
      expect(problemsOf(args)).toEqual(['argument "path" is missing (a string)']);
    },
  );

  it.each<[Json, string[]]>([
    [{ path: 5 }, ['argument "path" must be a string, not the number 5']],
    [{ path: null }, ['argument "path" must be a string, not the value null']],
    [{ path: ['a'] }, ['argument "path" must be a string, not an array']],
    [{ path: {} }, ['argument "path" must be a string, not an object']],
    [{ path: 'a', limit: '3' }, ['argument "limit" must be an integer, not "3"']],
    [{ path: 'a', limit: 0 }, ['argument "limit" must be >= 1, but is the number 0']],
    [{ path: 'a', mode: 'x' }, ['argument "mode" must be one of "write", "append", not "x"']],
    [{ path: '' }, ['argument "path" must NOT have fewer than 1 characters, but is ""']],
    [
      { path: 'a', deep: { n: 'x', m: 1 } },
      ['argument "deep.m" is unknown', 'argument "deep.n" must be a number, not "x"'],
    ],
    [{ path: 'a', tags: ['x', 1] }, ['argument "tags.1" must be a string, not the number 1']],
    [
      { pth: 'a', Path: 'b', other: 1 },
      [
        'argument "path" is missing (a string)',
        'unknown argument "pth"; this tool takes: path, mode, limit, deep, tags. Did you mean "path"?',
        'unknown argument "Path"; this tool takes: path, mode, limit, deep, tags. Did you mean "path"?',
        'unknown argument "other"; this tool takes: path, mode, limit, deep, tags.',
      ],
    ],
    [[], ['the arguments must be a JSON object, not an array']],
    [7, ['the arguments must be a JSON object, not the number 7']],
    ['["a"]', ['the arguments must be a JSON object, not an array']],
    ['"{}"', ['the arguments must be a JSON object, not the string "{}"']],
    ['path=a', ['the arguments must be a JSON object, not the text "path=a"']],
  ])('says what is wrong with %p', (args, problems) => {
    expect(problemsOf(args)).toEqual(problems);
  });

  it('says what a tool takes that takes nothing', () => {
    expect(problemsOf({ a: 1 }, toolOf({}))).toEqual(['unknown argument "a"; this tool takes no arguments.']);
  });

  it('guesses an abbreviation', () => {
    const shell = toolOf({ properties: { command: { type: 'string' } } });
    expect(problemsOf({ cmd: 'ls' }, shell)).toEqual([
      'unknown argument "cmd"; this tool takes: command. Did you mean "command"?',
    ]);
  });

  it('fills in defaults, into a copy', () => {
    const withDefaults = toolOf({
      properties: { mode: { default: 'write' }, deep: { type: 'object', properties: { n: { default: 1 } } } },
    });
    const args = Object.freeze({ deep: Object.freeze({}) });
    expect(validator.validate(withDefaults, args)).toEqual({
      ok: true,
      arguments: { mode: 'write', deep: { n: 1 } },
    });
    expect(args).toEqual({ deep: {} });
  });

  it('tells few of very many problems, and quickly', () => {
    const few = problemsOf({ path: 'a', tags: Array(100).fill(1) });
    expect(few).toHaveLength(13);
    expect(few.at(-1)).toBe('… and 88 more problems');
    expect(problemsOf({ path: 'a', tags: Array(500_000).fill(1) })).toHaveLength(1);
  });

  it('never shows much of a value', () => {
    const [problem = ''] = problemsOf({ path: 'a', mode: 'x'.repeat(100_000) });
    expect(problem.length).toBeLessThan(200);
    const [unknown = ''] = problemsOf({ path: 'a', ['k'.repeat(100_000)]: 1 });
    expect(unknown.length).toBeLessThan(300);
  });

  it('refuses a text that is too long for its pattern', () => {
    const patterned = toolOf({ properties: { p: { type: 'string', pattern: '^(a+)+$' } } });
    expect(problemsOf({ p: 'b' }, patterned)).toEqual(['argument "p" must match ^(a+)+$, but is "b"']);
    expect(problemsOf({ p: 'a'.repeat(200_000) }, patterned)).toEqual([
      'argument "p" has 200000 characters; at most 100000 can be checked against its pattern',
    ]);
  });

  it('reads patterns that are no Unicode ones, other drafts and unknown formats', () => {
    const lax = toolOf({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'same',
      properties: { p: { type: 'string', pattern: '^\\-$', format: 'no-such-format' } },
    });
    expect(problemsOf({ p: '-' }, lax)).toEqual([]);
    expect(problemsOf({}, toolOf({ $id: 'same' }))).toEqual([]);
  });

  it.each<JsonSchema>([
    { properties: { a: { type: 'strang' } } },
    { properties: { a: { $ref: 'http://elsewhere.example/x' } } },
    { properties: { a: { pattern: '(' } } },
    { required: 'a' },
  ])('refuses the broken schema %p, before the first call if it is asked', (parameters) => {
    const broken = toolOf(parameters);
    expect(() => validator.prepare(broken)).toThrow(expect.objectContaining({ name: 'InvalidToolError' }));
    expect(() => validator.validate(broken, {})).toThrow('no JSON Schema');
  });

  it('never throws on what a model wrote', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string(), fc.json()), (args) => {
        expect(validator.validate(tool, args as Json)).toHaveProperty('ok');
      }),
    );
  });
});

describe('AjvArgumentValidator: rules', () => {
  const rule = { properties: { command: { type: 'string', pattern: '^rm\\b' } }, required: ['command'] };

  it('tells whether a rule speaks', () => {
    expect(validator.matches(rule, { command: 'rm -rf' })).toBe(true);
    expect(validator.matches(rule, { command: 'ls' })).toBe(false);
    expect(validator.matches(rule, {})).toBe(false);
  });

  it('speaks for a text of any length: padding gets around no rule', () => {
    expect(validator.matches(rule, { command: `rm ${' '.repeat(1_000_000)}` })).toBe(true);
  });

  it('changes nothing', () => {
    const value = Object.freeze({});
    expect(validator.matches({ properties: { a: { default: 1 } } }, value)).toBe(true);
    expect(value).toEqual({});
  });

  it('refuses a rule that is no schema, before the first call if it is asked', () => {
    const rules = [{ mode: 'deny', when: { arguments: { type: 'nothing' } } }] as const;
    expect(() => validator.prepare(tool, { rules })).toThrow('"probe" has an approval rule');
  });
});
