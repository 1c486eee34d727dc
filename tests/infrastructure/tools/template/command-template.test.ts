import { describe, expect, it } from '@jest/globals';
import { compileCommandTemplate } from '../../../../src/infrastructure/tools/template/command-template.js';

const parameters = {
  type: 'object',
  properties: {
    x: { type: 'string' },
    y: { type: 'string' },
    optional: { type: 'string' },
    fallback: { type: 'string', default: 'plan b' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    target: { type: 'string', enum: ['build', 'test'] },
    list: { type: 'array' },
    any: {},
  },
  required: ['x', 'y', 'count', 'flag', 'target'],
};
const scope = {
  parameters,
  inputs: { project_path: '/my project', retries: 3 },
  env: { HOME: '/home/me', EMPTY: '' },
  allowDash: ['y'],
};
const VALUES = { x: 'a b', y: 'Y', count: 3, flag: true, target: 'test' };
const fill = (command: string, args: object = {}) =>
  compileCommandTemplate(command, scope).fill({ ...VALUES, ...args });

describe('a template without operators', () => {
  it.each([
    ["rg '{{args.x}}' {{inputs.project_path}}", ['rg', 'a b', '/my project']],
    ['rg "{{args.x}}" {{ .inputs.project_path }}', ['rg', 'a b', '/my project']],
    ['rg {{args.x}}', ['rg', 'a b']],
    ["rg '--glob={{args.x}}'", ['rg', '--glob=a b']],
    ['echo "a{{args.x}}b" pre{{args.x}}{{args.y}}', ['echo', 'aa bb', 'prea bY']],
    ["echo 'it'\\''s {{args.x}}' \"\" ''", ['echo', "it's a b", '', '']],
    ['head -n {{args.count}} --x={{args.flag}} {{inputs.retries}}', ['head', '-n', '3', '--x=true', '3']],
    ['ls {{env.HOME}}/x', ['ls', '/home/me/x']],
    ['ls {{args.optional}} -l', ['ls', '-l']],
    ["ls '{{args.optional}}'", ['ls']],
    ['ls a{{args.fallback}}', ['ls', 'aplan b']],
    ['npm test\n', ['npm', 'test']],
    ['echo a \\\n  b', ['echo', 'a', 'b']],
    ['echo "\\$HOME \\n"', ['echo', '$HOME \\n']],
    ['/bin/echo {{env.EMPTY}}', ['/bin/echo', '']],
  ])('makes arguments of %p', (command, argv) => {
    expect(fill(command)).toEqual({ kind: 'argv', argv });
  });
});

describe('a template that needs a shell', () => {
  it.each([
    ['cd {{inputs.project_path}} && npm test', 'cd "$1" && npm test', ['/my project']],
    ["rg '{{args.x}}' . | head -n {{args.count}}", 'rg "$1" . | head -n "$2"', ['a b', '3']],
    ['echo {{args.x}} {{args.y}} {{args.x}} | cat', 'echo "$1" "$2" "$1" | cat', ['a b', 'Y']],
    ['rg \'--glob={{args.x}}\' "a{{args.y}}b" | cat', `rg '--glob='"$1" "a\${2}b" | cat`, ['a b', 'Y']],
    ["echo '{{args.x}} and {{args.y}}'; ls", 'echo "$1"\' and \'"$2"; ls', ['a b', 'Y']],
    ['ls {{args.optional}} -l | wc', 'ls  -l | wc', []],
    ['if true; then rg {{args.x}} > out.txt 2>&1; fi', 'if true; then rg "$1" > out.txt 2>&1; fi', ['a b']],
    ['echo $HOME "$(date)" {{args.x}}', 'echo $HOME "$(date)" "$1"', ['a b']],
    ['ls *.ts', 'ls *.ts', []],
    ['echo {{"{{"}}x}}', 'echo {{x}}', []],
    ['cd src', 'cd src', []],
    ["cat <<'EOF'\nit's {{\"{{\"}}\nEOF", "cat <<'EOF'\nit's {{\nEOF", []],
  ])('makes a constant script of %p', (command, script, args) => {
    expect(fill(command)).toEqual({ kind: 'script', script, args });
  });

  it('has the same script whatever the values are', () => {
    const command = "cd {{args.x}} && echo '{{args.y}}'";
    const nasty = fill(command, { x: '"; $(touch pwned)', y: "'`{{args.x}}`" });
    expect(nasty).toEqual({
      kind: 'script',
      script: 'cd "$1" && echo "$2"',
      args: ['"; $(touch pwned)', "'`{{args.x}}`"],
    });
  });

  it('numbers more than nine parameters', () => {
    const names = Array.from({ length: 11 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const many = { ...scope, allowDash: [], parameters: { properties, required: names } };
    const command = `echo ${names.map((name) => `{{args.${name}}}`).join(' ')} | cat`;
    const values = Object.fromEntries(names.map((name) => [name, name]));
    expect(compileCommandTemplate(command, many).fill(values)).toMatchObject({
      script: expect.stringContaining(`"$9" "\${10}" "\${11}"`),
      args: names,
    });
  });
});

describe('values at the time of the call', () => {
  it.each([
    ['a leading dash', 'rg {{args.x}}', { x: '--pre=sh' }, 'would be read as an option'],
    ['a dash behind an empty value', 'rg {{args.fallback}}{{args.x}}', { x: '-x', fallback: '' }, 'option'],
    ['a dash before the "--"', 'rg {{args.x}} -- a', { x: '-x' }, 'option'],
    ['a dash after a "--" that is another command\'s', 'env -- rg {{args.x}}', { x: '-x' }, 'option'],
    ['a dash that npm hands on', 'npm test -- {{args.x}}', { x: '--config=evil' }, 'option'],
    ['a negative number', 'head {{args.count}}', { count: -5 }, 'option'],
    ['a dash behind a variable', 'rg $EMPTY{{args.x}}', { x: '-x' }, 'option'],
    ['a NUL', 'rg {{args.x}}', { x: 'a\0b' }, 'NUL'],
    ['a lone surrogate', 'rg {{args.x}}', { x: '\ud800' }, 'half a character'],
    ['128 KiB in one argument', 'rg {{args.x}}', { x: 'x'.repeat(131_072) }, 'has 131,072 bytes'],
    ['a megabyte in all', `rg${' {{args.x}}'.repeat(10)}`, { x: 'x'.repeat(120_000) }, 'the whole command'],
  ])('refuses %s', (_what, command, args, message) => {
    expect(() => fill(command, args)).toThrow(expect.objectContaining({ code: 'EXECUTION.SANDBOX.DENIED' }));
    expect(() => fill(command, args)).toThrow(message);
  });

  it.each([
    ['after "--"', 'rg -- {{args.x}}', { x: '-x' }, ['rg', '--', '-x']],
    ['in a longer word', 'rg --glob={{args.x}}', { x: '-x' }, ['rg', '--glob=-x']],
    ['where the parameter allows it', 'rg {{args.y}}', { y: '-x' }, ['rg', '-x']],
  ])('takes a leading dash %s', (_where, command, args, argv) => {
    expect(fill(command, args)).toEqual({ kind: 'argv', argv });
  });

  it('takes an argument as long as the kernel does', () => {
    expect(fill('rg {{args.x}}', { x: 'x'.repeat(131_071) })).toMatchObject({ kind: 'argv' });
  });
});

describe('templates that are wrong', () => {
  it.each([
    ['', 'WORKFLOW.TOOL.UNSAFE_TEMPLATE', 'the command is empty'],
    ['echo "open', 'WORKFLOW.TOOL.UNSAFE_TEMPLATE', 'column 6: a " is never closed'],
    ['echo {{args.missing}}', 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', 'there are: x, y'],
    ['echo {{args.constructor}}', 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', 'names no parameter'],
    ['echo {{args.x.deep}}', 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', 'is not known in a command'],
    ['echo {{states.a.output}}', 'WORKFLOW.TEMPLATE.UNKNOWN_NAME', 'is not known in a command'],
    ['echo {{inputs.missing}}', 'WORKFLOW.TEMPLATE.MISSING_VALUE', 'has no value'],
    ['echo {{env.MISSING}}', 'WORKFLOW.TEMPLATE.MISSING_VALUE', 'has no value'],
    ['echo {{args.x', 'WORKFLOW.TEMPLATE.SYNTAX', 'never closed'],
    ['echo {{args.list}}', 'WORKFLOW.TOOL.INVALID', 'fills one word'],
    ['echo {{args.any}}', 'WORKFLOW.TOOL.INVALID', 'has no type'],
    ['echo a{{args.optional}}', 'WORKFLOW.TOOL.UNSAFE_TEMPLATE', 'may be missing'],
  ])('are refused when they load: %p', (command, code, message) => {
    expect(() => fill(command)).toThrow(expect.objectContaining({ code }));
    expect(() => fill(command)).toThrow(message);
  });

  it('point at the place, on its line', () => {
    expect(() => fill('ls\n  {{args.x}} b')).toThrow(
      'line 2, column 3: {{args.x}} cannot be filled in safely',
    );
  });

  it('refuse an input that would be an option before anything runs', () => {
    const dashed = { ...scope, inputs: { project_path: '-rf' } };
    const compile = () => compileCommandTemplate('rm {{inputs.project_path}}', dashed);
    expect(compile).toThrow(expect.objectContaining({ code: 'USER.INPUT.INVALID' }));
  });
});
