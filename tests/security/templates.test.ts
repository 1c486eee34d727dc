import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customTool } from '../../src/infrastructure/tools/custom-tool.js';
import { compileCommandTemplate } from '../../src/infrastructure/tools/template/command-template.js';
import type { ProcessCommand } from '../../src/ports/sandbox.js';

const root = mkdtempSync(join(tmpdir(), 'toolgate-template-'));
const marker = join(root, 'pwned');
afterAll(() => rmSync(root, { recursive: true }));
afterEach(() => expect(existsSync(marker)).toBe(false));

const scope = {
  parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  inputs: { project_path: root, secret: 'hidden' },
  env: {},
  allowDash: [],
};
const fill = (command: string, x: string) => compileCommandTemplate(command, scope).fill({ x });

/** Runs a filled template for real, as a sandbox would. */
function run(command: ProcessCommand): string {
  if (command.kind === 'command-line') throw new Error('a template never becomes a command line');
  const [program = '', ...args] =
    command.kind === 'argv' ? command.argv : ['/bin/sh', '-c', command.script, 'sh', ...command.args];
  return execFileSync(program, args, { cwd: root, encoding: 'utf8' });
}

const QUOTES = { single: "'{{args.x}}'", double: '"{{args.x}}"', none: '{{args.x}}' };
const PAYLOADS: Readonly<Record<string, string>> = {
  'breaks out of single quotes': `'; touch ${marker}; '`,
  'breaks out of double quotes': `"; touch ${marker}; "`,
  separator: `; touch ${marker}`,
  'command substitution': `$(touch ${marker})`,
  backticks: `\`touch ${marker}\``,
  'and, or, pipe, background': `&& touch ${marker} || touch ${marker} | touch ${marker} & touch ${marker}`,
  newline: `a\ntouch ${marker}`,
  'carriage return': `a\r\ntouch ${marker}`,
  'quote and substitution': `'$(touch ${marker})'`,
  'backslash and quote': `\\'; touch ${marker}; #`,
  redirection: `> ${marker}`,
  'arithmetic index': `a[$(touch ${marker})]`,
  glob: '*',
  'one argument stays one word': 'a b',
  'an empty text stays one empty argument': '',
  'template syntax is not rendered again': '{{inputs.secret}}',
  'history expansion': '!!',
  tilde: '~root',
  'trailing backslash': 'a\\',
  'brace expansion': '{a,b}',
  'positional parameters': `$1 \${2} $@ $*`,
  'parameter expansion': `\${IFS}\${HOME:-$(touch ${marker})}`,
};

describe('values of templates arrive literally', () => {
  const contexts = Object.entries(QUOTES).flatMap(([quote, placeholder]) => [
    [quote, 'argument', `printf '%s\\n' ${placeholder}`],
    [quote, 'script', `printf '%s\\n' ${placeholder} | cat`],
  ]);
  for (const [quote, kind, command] of contexts) {
    describe(`${quote} quotes, ${kind}`, () => {
      it.each(Object.entries(PAYLOADS))('%s', (_why, value) => {
        expect(run(fill(command ?? '', value))).toBe(`${value}\n`);
      });
    });
  }

  it('inside longer words as well', () => {
    const command = `printf '%s\\n' '<{{args.x}}>' "<{{args.x}}>" pre{{args.x}}post`;
    for (const value of Object.values(PAYLOADS)) {
      const expected = `<${value}>\n<${value}>\npre${value}post\n`;
      expect(run(fill(command, value))).toBe(expected);
      expect(run(fill(`${command} | cat`, value))).toBe(expected);
    }
  });

  it('for the search of the request, and a search for names', () => {
    expect(run(fill('printf %s {{args.x}} {{inputs.project_path}}', '$(id)'))).toBe(`$(id)${root}`);
    expect(run(fill('find . -name {{args.x}} -print', `$(touch ${marker})`))).toBe('');
  });

  // Whatever Unicode can write, except what no argument can hold and what would be an option.
  const value = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && !text.startsWith('-'));
  const names = Array.from({ length: 20 }, (_, index) => `v${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const many = { ...scope, parameters: { type: 'object', properties, required: names } };
  it.each(Object.entries(QUOTES))('whatever they are, in %s quotes', (_quote, placeholder) => {
    const words = names.map((name) => placeholder.replace('args.x', `args.${name}`)).join(' ');
    const asArguments = compileCommandTemplate(`printf '%s\\0' ${words}`, many);
    const asScript = compileCommandTemplate(`cd . && printf '%s\\0' ${words}`, many);
    fc.assert(
      fc.property(fc.array(value, { minLength: 20, maxLength: 20 }), (values) => {
        const args = Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
        const expected = values.map((text) => `${text}\0`).join('');
        expect(run(asArguments.fill(args))).toBe(expected);
        expect(run(asScript.fill(args))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('templates that cannot be filled safely are refused when they load', () => {
  it.each([
    ['here-document', 'cat <<EOF\n{{args.x}}\nEOF'],
    ['quoted here-document', "cat <<'EOF'\n{{args.x}}\nEOF"],
    ['here-string', 'cat <<< {{args.x}}'],
    ['eval', 'eval "echo {{args.x}}"'],
    ['nested shell', "sh -c 'ls {{args.x}}'"],
    ['nested shell, as an argument of its own', 'bash -c {{args.x}}'],
    ['nested shell behind wrappers', 'env A=b nice -n 5 /bin/bash -lc "ls {{args.x}}"'],
    ['remote shell', "ssh host 'ls {{args.x}}'"],
    ['python code', 'python3 -c "print({{args.x}})"'],
    ['node code', 'node -e "{{args.x}}"'],
    ['perl code', "perl -ne 'print if /{{args.x}}/' f"],
    ['program file', 'node {{args.x}}'],
    ['awk program', "awk '/{{args.x}}/'"],
    ['awk variable', "awk -v a={{args.x}} '{print a}'"],
    ['sed program', "sed -n 's/{{args.x}}/y/p' f"],
    ['second sed program', 'sed -e s/a/b/ -e {{args.x}} f'],
    ['jq program', 'jq .{{args.x}} f'],
    ['arithmetic', 'echo $(( {{args.x}} ))'],
    ['arithmetic command', '(( {{args.x}} ))'],
    ['old arithmetic', 'echo $[ {{args.x}} ]'],
    ['test', '[ {{args.x}} -eq 1 ]'],
    ['bash test', '[[ {{args.x}} ]]'],
    ['command substitution', 'echo $(cat {{args.x}})'],
    ['backticks', 'echo `cat {{args.x}}`'],
    ['parameter expansion', `echo "\${HOME:-{{args.x}}}"`],
    ['command position', '{{args.x}} --version'],
    ['quoted command position', "'{{args.x}}' --version"],
    ['part of a command', './bin/{{args.x}} --version'],
    ['command after &&', 'cd /tmp && {{args.x}}'],
    ['command after a pipe', 'ls | {{args.x}}'],
    ['command after ;', 'ls; {{args.x}}'],
    ['command after a newline', 'ls\n{{args.x}}'],
    ['command in a subshell', '( {{args.x}} )'],
    ['command in a group', '{ {{args.x}}; }'],
    ['negated command', '! {{args.x}}'],
    ['command after then', 'if true; then {{args.x}}; fi'],
    ['command after do', 'while true; do {{args.x}}; done'],
    ['command after else', 'if true; then ls; else {{args.x}}; fi'],
    ['command after an assignment', 'A=b {{args.x}}'],
    ['command after env', 'env A=b {{args.x}}'],
    ['assignment of env', 'env {{args.x}} ls'],
    ['command after timeout', 'timeout 5 {{args.x}}'],
    ['time of timeout', 'timeout {{args.x}} ls'],
    ['command after sudo', 'sudo -u me {{args.x}}'],
    ['command after exec', 'exec {{args.x}}'],
    ['applet', 'busybox {{args.x}}'],
    ['package', 'npx {{args.x}}'],
    ['arguments of xargs', 'ls | xargs {{args.x}}'],
    ['assignment', 'X={{args.x}} true'],
    ['exported variable', 'export X={{args.x}}'],
    ['array index', 'a[{{args.x}}]=1'],
    ['redirection', 'echo hi > {{args.x}}'],
    ['appending redirection', 'echo hi >>"{{args.x}}"'],
    ['input redirection', 'cat < {{args.x}}'],
    ['error redirection', 'ls 2>{{args.x}}'],
    ['process substitution', 'diff <(cat {{args.x}}) b'],
    ['comment', 'ls # {{args.x}}'],
    ['list of a loop', 'for f in {{args.x}}; do ls; done'],
    ['case', 'case {{args.x}} in a) ls;; esac'],
    ['pattern of a case', 'case a in {{args.x}}) ls;; esac'],
    ['function', 'f() { ls {{args.x}}; }; f'],
    ['pipe into a shell', 'echo {{args.x}} | sh'],
    ['pipe into a shell on the next line', 'echo {{args.x}} |\n  bash -s'],
    ['pipe into a group', 'echo {{args.x}} | { cat; sh; }'],
    ['pipe into a loop', 'echo {{args.x}} | while read l; do $l; done'],
    ['pipe into xargs', 'echo {{args.x}} | xargs rm'],
    ['unknown command', '$TOOL {{args.x}}'],
    ['command of find', 'find . -exec rm {{args.x}} ;'],
    ['preprocessor of rg', 'rg --pre {{args.x}} y'],
    ['setting of git', 'git -c {{args.x}} log'],
    ['subcommand of git', 'git {{args.x}}'],
    ['subcommand of git behind an option', 'git -C dir {{args.x}}'],
    ['script of npm', 'npm run {{args.x}}'],
    ['command of tar', 'tar -xf a --to-command={{args.x}}'],
    ['target of make', 'make {{args.x}}'],
    ['variable of printf', 'printf -v {{args.x}} a'],
    ['pattern', 'ls *{{args.x}}'],
    ['brace expansion', 'ls {a,{{args.x}}}'],
    ['home', 'ls ~{{args.x}}'],
    ['ANSI quotes', "echo $'{{args.x}}'"],
    ['translated quotes', 'echo $"{{args.x}}"'],
    ['dollar', `echo "\${{args.x}}"`],
    ['backslash', 'echo \\{{args.x}}'],
    ['changed parameters', 'set -- a; echo {{args.x}}'],
    ['parameters of its own', 'echo $1 {{args.x}}'],
    ['shell of another system', 'cmd /c echo {{args.x}}'],
  ])('%s', (_where, command) => {
    const compile = () => compileCommandTemplate(command, scope);
    expect(compile).toThrow(expect.objectContaining({ code: 'WORKFLOW.TOOL.UNSAFE_TEMPLATE' }));
  });

  it.each(['echo {{args.__proto__}}', 'echo {{args.constructor}}', 'echo {{args.missing}}'])(
    'a placeholder that names nothing: %s',
    (command) => {
      const code = 'WORKFLOW.TEMPLATE.UNKNOWN_NAME';
      expect(() => compileCommandTemplate(command, scope)).toThrow(expect.objectContaining({ code }));
    },
  );
});

describe('values that no argument can hold, or that would be options, are refused when they come', () => {
  it.each([
    ['option of rg', "rg '{{args.x}}' {{inputs.project_path}}", '--pre=/bin/sh'],
    ['option of git', 'git log {{args.x}}', `--output=${marker}`],
    ['option of tar', 'tar -cf out.tar {{args.x}}', `--checkpoint-action=exec=touch ${marker}`],
    ['option in a script', 'ls | sort {{args.x}}', '--compress-program=sh'],
    ['lone surrogate', 'echo {{args.x}}', '\ud800'],
    ['NUL', 'echo {{args.x}}', 'a\0b'],
    ['more than the kernel takes', 'echo {{args.x}}', 'x'.repeat(200_000)],
  ])('%s', (_what, command, value) => {
    expect(() => fill(command, value)).toThrow(expect.objectContaining({ code: 'EXECUTION.SANDBOX.DENIED' }));
  });

  it('but a dash is taken where the tool says so', () => {
    const { inputs, env } = scope;
    const tool = { name: 'say', parameters: scope.parameters };
    const dashed = () => customTool({ tool, command: 'echo {{args.x}}', inputs, env, allowDash: ['x'] });
    expect(dashed).not.toThrow();
    expect(run(fill("printf '%s' -- {{args.x}}", '-x'))).toContain('-x');
  });
});
