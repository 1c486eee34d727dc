import { describe, expect, it } from '@jest/globals';
import type { ToolDeclaration } from '../../../src/domain/workflow.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

describe('buildTools', () => {
  it('reads every key of a tool', () => {
    expect(
      toolOf(`
  - name: files
    builtin: shell
    description: Runs things
    approval:
      default: auto
      rules:
        - { when: { command: { pattern: "rm " } }, mode: deny, reason: too dangerous }
        - { when: { command: { pattern: "git push" } }, approval: prompt }
    restrictions:
      paths: { read: ["src/**"], deny: ["**/.env"] }
      commands: [git, rg]
      hosts: [api.example.com, "*.example.org"]
      private_hosts: [10.0.0.5]
      env: [LANG]
      protect: [".github/**"]
      strict: true
      memory: 512MiB
      pids: 64
      max_output: 64KiB
    timeout: 1m30s
    idempotent: true
    exclusive: false
    side_effects: local
`),
    ).toStrictEqual({
      name: 'files',
      kind: { type: 'builtin', builtin: 'shell' },
      description: 'Runs things',
      allowDash: [],
      approval: {
        default: 'auto',
        rules: [
          {
            mode: 'deny',
            when: {
              arguments: {
                type: 'object',
                properties: { command: { pattern: 'rm ' } },
                required: ['command'],
              },
            },
            reason: 'too dangerous',
          },
          {
            mode: 'prompt',
            when: {
              arguments: {
                type: 'object',
                properties: { command: { pattern: 'git push' } },
                required: ['command'],
              },
            },
          },
        ],
      },
      restrictions: {
        paths: { read: ['src/**'], write: [], deny: ['**/.env'] },
        commands: ['git', 'rg'],
        hosts: ['api.example.com', '*.example.org'],
        privateHosts: ['10.0.0.5'],
        env: ['LANG'],
        protect: ['.github/**'],
        strict: true,
        memoryBytes: 512 * 1024 * 1024,
        pids: 64,
        maxOutputBytes: 64 * 1024,
      },
      timeoutMs: 90_000,
      idempotent: true,
      exclusive: false,
      sideEffects: 'local',
    });
  });

  it('asks a person where no approval is given, and where a policy has no default', () => {
    expect(toolOf('[{ name: a }]').approval).toEqual({ default: 'prompt', rules: [] });
    expect(toolOf('[{ name: a, approval: { rules: [] } }]').approval.default).toBe('prompt');
  });

  it('takes a tool with neither builtin nor command for a handler', () => {
    expect(toolOf('[{ name: my_tool, approval: auto }]').kind).toEqual({ type: 'handler' });
  });

  it('reads a plain list of paths as read for read_file only', () => {
    const paths = (builtin: string) =>
      toolOf(`[{ name: x, builtin: ${builtin}, restrictions: { paths: [a] } }]`).restrictions.paths;
    expect(paths('read_file')).toEqual({ read: ['a'], write: [], deny: [] });
    expect(paths('write_file')).toEqual({ read: ['a'], write: ['a'], deny: [] });
    expect(paths('shell')).toEqual({ read: ['a'], write: ['a'], deny: [] });
  });

  it('keeps an empty list apart from a missing one', () => {
    expect(toolOf('[{ name: a, restrictions: { hosts: [] } }]').restrictions).toStrictEqual({ hosts: [] });
    expect(
      toolOf('[{ name: a, restrictions: { commands: any, private_hosts: deny } }]').restrictions,
    ).toEqual({
      commands: 'any',
    });
  });

  it('turns a list of parameters into a closed JSON Schema', () => {
    const tool = toolOf(`
  - name: search
    command: "rg {{args.pattern}} {{args.path}}"
    parameters:
      - { name: pattern, description: what to find, allow_dash: true }
      - { name: path, default: ".", enum: [".", src] }
      - { name: depth, type: integer, required: false }
`);
    expect(tool.parameters).toStrictEqual({
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'what to find' },
        path: { type: 'string', default: '.', enum: ['.', 'src'] },
        depth: { type: 'integer' },
      },
      required: ['pattern'],
      additionalProperties: false,
    });
    expect(tool.allowDash).toEqual(['pattern']);
  });

  it('takes a JSON Schema, also one that says another draft', () => {
    const tool = toolOf(`
  - name: search
    command: "rg {{args.pattern}}"
    schema:
      $schema: http://json-schema.org/draft-07/schema#
      properties: { pattern: { type: string, pattern: '^[\\w\\-]+$' } }
`);
    expect(tool.parameters).toMatchObject({ additionalProperties: false });
  });

  it.each([
    ['[{ name: read_fil, builtin: true }]', 'did you mean `read_file`?'],
    ['[{ name: a, builtin: shel }]', 'did you mean `shell`?'],
    ['[{ name: a, builtin: shell, command: ls }]', 'both `builtin` and `command`'],
    ['[{ name: a, builtin: shell, parameters: [] }]', '`parameters` is for command tools; a built-in tool'],
    ['[{ name: a, schema: {} }]', '`schema` is for command tools; a tool bound in code'],
    ['[{ name: a, command: x, schema: {}, parameters: [] }]', 'both `parameters` and `schema`'],
    ['[{ name: a, command: x, schema: { type: array } }]', 'the arguments of a tool are an object'],
    [
      '[{ name: a, command: x, schema: { properties: { y: { type: txt } } } }]',
      'schema.properties.y.type: not',
    ],
    ['[{ name: a, command: x, schema: { properties: { y: { pattern: "(" } } } }]', 'not a valid JSON Schema'],
    ['[{ name: a, command: x, schema: { properties: { y: { $ref: "http://x/y" } } } }]', "can't resolve"],
    ['[{ name: a, command: x, parameters: [{ name: y }, { name: y }] }]', '`y` is there already'],
    [
      '[{ name: a, command: x, parameters: [{ name: y, type: integer, default: "1" }] }]',
      'expected a whole number',
    ],
    ['[{ name: a, command: x, parameters: [{ name: y, enum: [1] }] }]', 'put it in quotes: "1"'],
    [
      '[{ name: a, command: x, parameters: [{ name: y, type: array }] }]',
      'expected string, integer, number or boolean; for lists and mappings write a JSON Schema under `schema`',
    ],
    ['[{ name: a, command: x, parameters: [{ name: constructor }] }]', 'reserved'],
    ['[{ name: a, command: "echo {{args.y}}" }]', 'no parameter `y` → declare it'],
    ['[{ name: a }, { name: a }]', '`a` is there already, as tools[0].name'],
    ['[{ name: a, approval: { rules: [{ when: { x: {} } }] } }]', 'needs `mode`'],
    ['[{ name: a, approval: { rules: [{ when: { x: {} }, mode: auto, approval: auto }] } }]', 'both `mode`'],
    ['[{ name: a, approval: { rules: [{ when: {}, mode: auto }] } }]', 'a mapping that is not empty'],
    ['[{ name: a, approval: { rules: [{ when: { x: { type: txt } }, mode: deny }] } }]', 'not a valid JSON'],
    [
      '[{ name: a, command: x, parameters: [{ name: path }], approval: { rules: [{ when: { pth: {} }, mode: deny }] } }]',
      'no parameter `pth`, so this rule would never match → did you mean `path`?',
    ],
  ])('refuses %s', (tools, message) => {
    expect(listProblems(`tools: ${tools}`).join('\n')).toContain(message);
  });
});

function toolOf(tools: string): ToolDeclaration {
  const [tool] = parseWorkflow(`tools: ${tools}`).tools;
  if (!tool) throw new Error('the workflow has no tool');
  return tool;
}
