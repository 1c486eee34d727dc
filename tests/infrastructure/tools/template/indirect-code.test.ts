import { describe, expect, it } from '@jest/globals';
import { compileCommandTemplate } from '../../../../src/infrastructure/tools/template/command-template.js';

const text = { type: 'string' };
const parameters = {
  type: 'object',
  properties: { x: text, n: { type: 'integer' }, mode: { type: 'string', enum: ['short', 'long'] } },
  required: ['x', 'n', 'mode'],
};
const inputs = { dir: 'a b', jobs: 4 };
const compile = (command: string) =>
  compileCommandTemplate(command, { parameters, inputs, env: {}, allowDash: ['x'] });
const refused = (command: string) =>
  expect(() => compile(command)).toThrow(expect.objectContaining({ code: 'WORKFLOW.TOOL.UNSAFE_TEMPLATE' }));
const taken = (command: string) => expect(() => compile(command)).not.toThrow();

describe('a value in the name of an option', () => {
  it.each([
    'tar -cf /dev/null f.txt --{{args.x}}',
    'tar -cf /dev/null f.txt "--{{args.x}}"',
    'rg -{{args.x}} y',
    'rg --foo{{args.x}} y',
    'rg --{{args.x}}=y z',
    'rg --{{args.mode}}{{args.x}} y',
    'rg $EMPTY--{{args.x}} y',
    'rg --$EMPTY{{args.x}} y',
    'rg --{{inputs.dir}} y',
    'ls | sort --{{args.x}}',
    'tar {{args.x}} f.txt',
  ])('is refused: %s', refused);

  it.each([
    'rg --glob={{args.x}} y',
    'head -n{{args.n}} f',
    'git log --{{args.mode}}',
    'rg -j{{inputs.jobs}} y',
    'rm -- -{{args.x}}',
    'tar -cf out.tar a-{{args.x}}',
  ])('but not beside it: %s', taken);
});

describe('a value that is piped to what reads a program', () => {
  it.each([
    ...['sed -f - f', 'sed -nf - f', 'sed -f /dev/stdin f', 'sed -f- f', 'sed --file=- f', 'sed --file - f'],
    ...[
      'awk -f - f',
      'awk -f/dev/stdin f',
      'gawk -E - f',
      'jq -f /dev/stdin f',
      'jq --from-file /dev/stdin f',
    ],
    ...['bash /dev/stdin', 'bash -o errexit', "sh -c 'sh'", 'python3 -', 'python3 -X dev', 'python3 -m code'],
    ...[
      'python3 -i a.py',
      'node -r mod',
      'node',
      'perl -I lib',
      'ruby',
      'php',
      'lua -',
      'tclsh',
      'deno run -',
    ],
    ...[
      'bc',
      'dc',
      'm4',
      'make -f -',
      'gdb',
      'ed f',
      'ex f',
      'vim -s -',
      'psql',
      'sqlite3 a.db',
      'mysql',
      'at now',
    ],
    ...[
      'batch',
      'crontab -',
      'ssh host',
      'parallel',
      'xargs ls',
      'source /dev/stdin',
      '. /dev/stdin',
      'curl -K -',
    ],
    ...[
      'tar -cf a -T -',
      'tar -cf a --files-from=-',
      'cat | sed -f - f',
      'env A=b sed -f - f',
      'kubectl apply -f -',
    ],
  ])('is refused: %s', (reader) => refused(`printf %s {{args.x}} | ${reader}`));

  it.each([
    ...[
      "sed 's/a/b/'",
      "awk '{print $NF}'",
      'sed -f prog.sed',
      'grep -f - f',
      'jq .',
      'tar -xf -',
      'sort',
      'cat -',
    ],
    ...[
      'python3 -c "import sys; print(sys.stdin.read())"',
      'python3 -m json.tool',
      'python3 a.py',
      "perl -pe 's/a/b/'",
    ],
    ...['node a.js', "node -e 'process.stdin.pipe(process.stdout)'", 'bash a.sh', 'java -jar a.jar'],
  ])('but data is data: %s', (reader) => taken(`printf %s {{args.x}} | ${reader}`));

  it('and so is a program from a pipe without values', () =>
    taken('cat a.sed | sed -f - f; echo {{args.x}}'));
});

describe('a value that is written into a file', () => {
  it.each([
    'echo {{args.x}} > t.sh; sh t.sh',
    'echo {{args.x}} >> t.sh && bash ./t.sh',
    'echo {{args.x}} > t.sh; . ./t.sh',
    'echo {{args.x}} > t.sh; chmod +x t.sh; ./t.sh',
    'echo {{args.x}} > t; ./t',
    'echo {{args.x}} > t.sh; sh < t.sh',
    'echo {{args.x}} > a.py; python3 b.py',
    'echo {{args.x}} > t.sed; sed -f t.sed f',
    'echo {{args.x}} | cat > t.sh; sh t.sh',
    'echo {{args.x}} | tee t.sh; sh t.sh',
    'curl -o t.sh {{args.x}} && sh ./t.sh',
    '{ echo {{args.x}}; } > t.sh; sh t.sh',
    '(echo {{args.x}}) > t.sh; sh t.sh',
    'exec > t.sh; echo {{args.x}}; sh t.sh',
    'while true; do sh t.sh; echo {{args.x}} > t.sh; done',
    'echo {{args.x}} > package.json; npm test',
    'echo {{args.x}} > t.sh; env sh t.sh',
  ])('is refused where files are run: %s', refused);

  it.each([
    'echo {{args.x}} > notes.txt; cat notes.txt',
    'cd sub && python3 gen.py {{args.x}} > out.txt',
    'date > stamp; python3 a.py {{args.x}}',
    'python3 a.py {{args.x}}; python3 a.py --summary',
    'rg {{args.x}} > /dev/null 2>&1; node a.js',
    'echo {{args.x}} > notes.md && git add notes.md',
    'git checkout {{args.x}} && npm run build',
  ])('but not where none is: %s', taken);
});
