import { describe, expect, it } from '@jest/globals';
import { ToolgateError } from '../../src/domain/errors.js';
import type { Workflow } from '../../src/domain/workflow.js';
import { parseWorkflow } from '../../src/infrastructure/workflow/parse-workflow.js';

const LAUGHS = `a: &a [x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]
f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]
g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]`;

const MEGABYTE = 1024 * 1024;

/** What a hostile or careless file tries, what it must end in, and a twin that means well and must load. */
const CASES: readonly [why: string, attack: string | Uint8Array, code: string, twin: string][] = [
  [
    'a billion laughs',
    LAUGHS,
    'WORKFLOW.PARSE.TOO_LARGE',
    'tools:\n  - name: a\n    restrictions: &r { hosts: [] }\n  - name: b\n    restrictions: *r',
  ],
  ['an alias of itself', 'tags: &a [*a]', 'WORKFLOW.PARSE.TOO_LARGE', 'tags: &a [b]'],
  ['an alias of nothing', 'tags: *a', 'WORKFLOW.PARSE.YAML_SYNTAX', 'tags: [a]'],
  ['a __proto__ key', '__proto__:\n  approval: auto\ntools: []', 'WORKFLOW.PARSE.UNKNOWN_FIELD', 'tools: []'],
  [
    'a __proto__ key deep inside',
    'tools: [{ name: a, restrictions: { "__proto__": { commands: any } } }]',
    'WORKFLOW.PARSE.UNKNOWN_FIELD',
    'tools: [{ name: a, restrictions: {} }]',
  ],
  [
    'a constructor key in options',
    'steps: [{ name: a, provider: p, prompt: x, options: { constructor: 1 } }]',
    'WORKFLOW.PARSE.UNKNOWN_FIELD',
    'steps: [{ name: a, provider: p, prompt: x, options: { construct: 1 } }]',
  ],
  [
    'an escaped reserved key',
    'tools: [{ name: a, restrictions: { "\\u005f_proto__": {} } }]',
    'WORKFLOW.PARSE.UNKNOWN_FIELD',
    'tools: [{ "n\\u0061me": a }]',
  ],
  [
    'a key given twice',
    'tools:\n  - name: shell\n    approval: deny\n    approval: auto',
    'WORKFLOW.VALIDATION.DUPLICATE',
    'tools:\n  - name: shell\n    approval: deny',
  ],
  [
    'a key given twice, once in quotes',
    'tools: [{ name: a, approval: deny, "approval": auto }]',
    'WORKFLOW.VALIDATION.DUPLICATE',
    'tools: [{ name: a, "approval": auto }]',
  ],
  [
    'a merge key',
    'tools:\n  - &a { name: a, approval: auto }\n  - { <<: *a, name: b }',
    'WORKFLOW.VALIDATION.UNSUPPORTED',
    'tools:\n  - { name: a, approval: &m auto }\n  - { name: b, approval: *m }',
  ],
  [
    'the word no for an approval',
    'tools:\n  - name: shell\n    approval: no',
    'WORKFLOW.VALIDATION.SCHEMA',
    'tools:\n  - name: shell\n    approval: deny',
  ],
  [
    'a number with underscores',
    'tools:\n  - name: shell\n    timeout: 1_000',
    'WORKFLOW.VALIDATION.SCHEMA',
    'tools:\n  - name: shell\n    timeout: 1000',
  ],
  [
    'restrictions that are null',
    'tools:\n  - name: write_file\n    builtin: true\n    restrictions: null',
    'WORKFLOW.VALIDATION.SCHEMA',
    'tools:\n  - name: write_file\n    builtin: true\n    restrictions: {}',
  ],
  [
    'restrictions that are empty',
    'tools:\n  - name: write_file\n    builtin: true\n    restrictions:',
    'WORKFLOW.VALIDATION.SCHEMA',
    'tools:\n  - name: write_file\n    builtin: true',
  ],
  [
    'two tools of one name',
    'tools:\n  - name: a\n  - name: a',
    'WORKFLOW.VALIDATION.DUPLICATE',
    'tools:\n  - name: a\n  - name: b',
  ],
  [
    'a tool name with a space',
    "tools:\n  - name: 'a b\\n'",
    'WORKFLOW.VALIDATION.SCHEMA',
    "tools:\n  - name: 'a-b_n'",
  ],
  [
    'a tool name with a line break',
    'tools:\n  - name: "ab\\n"',
    'WORKFLOW.VALIDATION.SCHEMA',
    'tools:\n  - name: "ab"',
  ],
  [
    '50 MB of text',
    `a: ${'x'.repeat(50_000_000)}`,
    'WORKFLOW.PARSE.TOO_LARGE',
    `description: ${'x'.repeat(500_000)}`,
  ],
  [
    'a filter that does not exist',
    'tools:\n  - name: s\n    command: "echo {{args.x | raw}}"',
    'WORKFLOW.TEMPLATE.SYNTAX',
    'tools:\n  - name: s\n    command: "echo {{args.x}}"\n    parameters: [{ name: x }]',
  ],
  ['a hundred thousand brackets', `a: ${'['.repeat(100_000)}`, 'WORKFLOW.PARSE.TOO_LARGE', 'tags: [a]'],
  ['half a million dashes', '- '.repeat(MEGABYTE / 2), 'WORKFLOW.PARSE.TOO_LARGE', 'tags:\n  - a'],
  [
    'a megabyte of list items',
    `tags: [${'x,'.repeat(MEGABYTE / 2 - 10)}]`,
    'WORKFLOW.PARSE.TOO_LARGE',
    `tags: [${'x,'.repeat(5000)}]`,
  ],
  [
    'a tag that names code',
    'name: !!js/function "function () {}"',
    'WORKFLOW.PARSE.YAML_SYNTAX',
    'name: !!str 5',
  ],
  ['a tag of its own', 'tools: !include other.yaml', 'WORKFLOW.PARSE.YAML_SYNTAX', 'tools: !!seq []'],
  ['an older YAML', '%YAML 1.1\n---\nname: x', 'WORKFLOW.PARSE.YAML_SYNTAX', '%YAML 1.2\n---\nname: x'],
  [
    'two documents',
    'tools: []\n---\ntools: [{ name: shell }]',
    'WORKFLOW.PARSE.YAML_SYNTAX',
    '---\ntools: []\n...\n',
  ],
  ['a tab for an indent', 'tools:\n\t- name: a', 'WORKFLOW.PARSE.YAML_SYNTAX', 'tools:\n  - name: a'],
  ['an empty file', '', 'WORKFLOW.PARSE.YAML_SYNTAX', '{}'],
  ['comments only', '# nothing\n', 'WORKFLOW.PARSE.YAML_SYNTAX', '# something\nname: x'],
  ['a value that is no mapping', 'null', 'WORKFLOW.VALIDATION.SCHEMA', '{}'],
  ['a mapping for a key', '? { a: b }\n: c', 'WORKFLOW.PARSE.YAML_SYNTAX', '? name\n: c'],
  ['an alias for a key', 'name: &a b\n*a : c', 'WORKFLOW.PARSE.YAML_SYNTAX', 'name: &a b'],
  [
    'bytes that are not UTF-8',
    Buffer.from('name: caf\xe9', 'latin1'),
    'WORKFLOW.PARSE.ENCODING',
    'name: café',
  ],
  ['a character cut off', Buffer.from('name: €').subarray(0, -1), 'WORKFLOW.PARSE.ENCODING', 'name: €'],
  ['UTF-16', Buffer.from('\ufeffname: x', 'utf16le'), 'WORKFLOW.PARSE.ENCODING', 'name: x'],
  ['a raw escape', 'name: a\u001b[2Jb', 'WORKFLOW.PARSE.ENCODING', 'description: "a\\e[2Jb"'],
  [
    'a NUL in a text',
    'tools: [{ name: a, command: "ls\\0" }]',
    'WORKFLOW.PARSE.ENCODING',
    'tools: [{ name: a, command: "ls\\t" }]',
  ],
  [
    'a number too large to be kept',
    'version: 12345678901234567890',
    'WORKFLOW.VALIDATION.SCHEMA',
    'version: "12345678901234567890"',
  ],
  ['no number', 'version: .nan', 'WORKFLOW.VALIDATION.SCHEMA', 'version: 1.5'],
  [
    'a text that never ends',
    `name: "${'\n'.repeat(MEGABYTE / 2)}`,
    'WORKFLOW.PARSE.YAML_SYNTAX',
    `description: "${'\n'.repeat(MEGABYTE / 2)} "`,
  ],
  ['nothing but commas', `[${','.repeat(4000)}`, 'WORKFLOW.PARSE.YAML_SYNTAX', 'tags: [a, b,]'],
  [
    'a quarter of a million placeholders',
    `description: x\nworkspace: "${'{{}}'.repeat(200_000)}"`,
    'WORKFLOW.TEMPLATE.SYNTAX',
    `description: "${'{{}}'.repeat(200_000)}"`,
  ],
];

describe('yaml files', () => {
  it.each(CASES)('ends in a clear error, fast: %s', (_why, attack, code) => {
    const started = performance.now();
    const error = errorOf(attack);
    expect(error.code).toBe(code);
    expect(error.message.length).toBeLessThan(50_000);
    expect(performance.now() - started).toBeLessThan(1500);
    expect(({} as Record<string, unknown>).approval).toBeUndefined();
  });

  it('loads a thousand ordinary tools', () => {
    const tool = (index: number) => `  - name: tool_${index}
    description: Shows what has changed
    command: "git log -n {{args.count}}"
    parameters:
      - { name: count, type: integer, description: How many, required: true }
    restrictions: { commands: [git], paths: ["src/**"] }
`;
    const { tools } = parseWorkflow(
      `tools:\n${Array.from({ length: 1_000 }, (_, index) => tool(index)).join('')}`,
    );
    expect(tools).toHaveLength(1_000);
  });

  it.each(CASES)('loads the twin of: %s', (_why, _attack, _code, twin) => {
    expect(parseWorkflow(twin)).toHaveProperty('hash');
  });

  it('accepts a byte order mark', () => {
    expect(parseWorkflow('\ufefftools: []').tools).toEqual([]);
    expect(parseWorkflow(Buffer.from('\ufefftools: []')).tools).toEqual([]);
  });

  it('shares nothing between the places that an alias stands for', () => {
    const { tools }: Workflow = parseWorkflow(
      'tools:\n  - { name: a, restrictions: &r { hosts: [x] } }\n  - { name: b, restrictions: *r }',
    );
    expect(tools[0]?.restrictions).toEqual(tools[1]?.restrictions);
    expect(tools[0]?.restrictions.hosts).not.toBe(tools[1]?.restrictions.hosts);
  });

  it('prints no control, bidi or zero-width character of the file', () => {
    const { message } = errorOf('na\u202eme\u200b: x\n"\\e[2J": y\n');
    expect(message).toMatch(/^[\x20-\x7e\n…]*$/);
  });
});

function errorOf(source: string | Uint8Array): ToolgateError {
  try {
    parseWorkflow(source, { file: 'flow.yaml' });
  } catch (error) {
    if (error instanceof ToolgateError) return error;
    throw error;
  }
  throw new Error('the file loads');
}
