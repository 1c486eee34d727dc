// What it costs to decide one planned call against a thousand rules: `npm run bench:approval`. The aim is 50 µs. Minima
// and medians of many rounds are printed; the machine may be noisy.
import { rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { build } from 'esbuild';

const RULES = 1_000;
const ROUNDS = 201;
const CALLS = 200;
// Beside the sources, so that what is imported by name is found.
const bundle = new URL('./decide.bundle.mjs', import.meta.url).pathname;

await build({
  stdin: {
    contents: `
      export { decideApproval } from './src/application/decide-approval.js';
      export { factsOf } from './src/domain/rules/call-facts.js';
      export { createTool } from './src/domain/tool.js';
      export { AjvArgumentValidator } from './src/infrastructure/validation/ajv-argument-validator.js';`,
    resolveDir: new URL('../..', import.meta.url).pathname,
  },
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
const { decideApproval, factsOf, createTool, AjvArgumentValidator } = await import(bundle);
rmSync(bundle);

const validator = new AjvArgumentValidator();
const fits = (schema, value) => validator.matches(schema, value);
const tool = createTool({ name: 'tool' });
const modes = ['auto', 'prompt', 'deny'];
const rulesOf = (when) =>
  Array.from({ length: RULES }, (_, index) => ({ mode: modes[index % 3], when: when(index) }));
const argument = (name, schema) => ({ type: 'object', properties: { [name]: schema }, required: [name] });

const command = (...words) => ({ name: words[0], path: `/usr/bin/${words[0]}`, args: words.slice(1) });
const processOf = (commands, more = {}) => ({
  kind: 'process',
  argv: ['/bin/sh'],
  cwd: '/w',
  commands,
  ...more,
});
const file = { kind: 'write-file', path: '/w/src/area-7/deep/in/here/file.ts', bytes: 1, append: false };
const request = { kind: 'http', method: 'GET', url: 'https://api.example.com/v1/things?x=1' };

const SCENARIOS = [
  [
    'commands, a program each',
    rulesOf((index) => ({ command: [`program-${index}`, 'run'] })),
    processOf([command('git', 'status')]),
  ],
  [
    'commands, all of one program',
    rulesOf((index) => ({ command: ['git', `sub-${index}`] })),
    processOf([command('git', '-C', 'x', 'status')]),
  ],
  [
    'commands, a pipe of ten',
    rulesOf((index) => ({ command: [`program-${index}`] })),
    processOf(Array.from({ length: 10 }, (_, index) => command(`program-${index * 3}`, 'x'))),
  ],
  [
    'commands, one that was not read',
    rulesOf((index) => ({ command: ['git', `sub-${index}`] })),
    processOf([], { unread: 'a redirection' }),
  ],
  ['paths, a folder each', rulesOf((index) => ({ paths: [`src/area-${index}/**`] })), file],
  ['paths, all of them wild', rulesOf((index) => ({ paths: [`**/*-${index}.ts`] })), file],
  ['hosts', rulesOf((index) => ({ hosts: [`host-${index}.example.com`, `*.h${index}.org`] })), request],
  [
    'methods and hosts',
    rulesOf((index) => ({ hosts: ['*.example.com'], methods: [index % 2 ? 'PUT' : 'POST'] })),
    request,
  ],
  [
    'arguments, a schema each',
    rulesOf((index) => ({ arguments: argument('amount', { minimum: 1e6 + index }) })),
    { kind: 'handler' },
  ],
  [
    'arguments, a choice each',
    rulesOf((index) => ({ arguments: argument('path', { enum: [`a-${index}`, `b-${index}`] }) })),
    { kind: 'handler' },
  ],
  [
    'arguments, a pattern each',
    rulesOf((index) => ({ arguments: argument('path', { pattern: `^docs ${index}-` }) })),
    { kind: 'handler' },
  ],
  [
    'a mix of all',
    rulesOf(
      (index) =>
        [
          { command: ['git', `sub-${index}`] },
          { paths: [`src/area-${index}/**`] },
          { hosts: [`host-${index}.example.com`] },
          { arguments: argument('amount', { minimum: 1e6 + index }) },
        ][index % 4],
    ),
    file,
  ],
];

console.log(`node ${process.version}, ${cpus().length} cores; ${RULES} rules, µs a decision: median [min]\n`);
for (const [name, rules, action] of SCENARIOS) {
  const [many, few] = [rules, rules.slice(0, 10)].map((list) => measure(list, action));
  const shown = ({ median, min }) => `${median.toFixed(1)} [${min.toFixed(1)}]`;
  const verdict = many.median <= 50 ? '' : '  over the aim of 50';
  console.log(`${name.padEnd(34)}${shown(many).padStart(16)}   ten rules: ${shown(few)}${verdict}`);
}

function measure(rules, action) {
  const policy = { default: 'prompt', rules };
  const plan = { tool: 'tool', arguments: { path: 'src/area-7/deep/in/here/file.ts', amount: 5 }, action };
  const once = () => decideApproval(tool, policy, { facts: factsOf(plan, '/w'), fits });
  for (let warm = 0; warm < 2_000; warm += 1) once();
  const samples = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (let call = 0; call < CALLS; call += 1) once();
    return ((performance.now() - start) * 1_000) / CALLS;
  }).sort((left, right) => left - right);
  return { median: samples[Math.floor(ROUNDS / 2)], min: samples[0] };
}
