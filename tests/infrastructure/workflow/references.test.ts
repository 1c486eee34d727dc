import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems, problemsOf, workflowWithPrompt } from './problems-of.js';

describe('References', () => {
  it('makes every input that is only used a required text', () => {
    const workflow = parseWorkflow(`
workspace: "{{inputs.root}}"
tools:
  - name: a
    command: "ls {{inputs.in_command}}"
    restrictions: { paths: ["{{inputs.in_path}}/**"], hosts: ["{{ inputs.in_host }}"] }
steps:
  - name: one
    provider: "{{inputs.in_provider}}"
    prompt: "{{.inputs.in_prompt}} {{env.HOME}}"
    system_prompt: "{{inputs.in_system_prompt}}"
    options: { deep: [{ er: "{{inputs.in_options}}" }] }
`);
    expect(workflow.inputs.map(({ name }) => name)).toEqual([
      'root',
      'in_command',
      'in_path',
      'in_host',
      'in_provider',
      'in_prompt',
      'in_system_prompt',
      'in_options',
    ]);
    expect(new Set(workflow.inputs.map(({ type, required }) => `${type} ${required}`))).toEqual(
      new Set(['string true']),
    );
  });

  it('requires an input that is used, unless it has a default', () => {
    const text = (input: string) => `inputs: [${input}]\n${workflowWithPrompt('{{inputs.a}}')}`;
    const required = (input: string) => parseWorkflow(text(input)).inputs.map((one) => one.required);
    expect(required('{ name: a, required: false }')).toEqual([true]);
    expect(required('{ name: a, required: false, default: x }')).toEqual([false]);
    expect(required('{ name: a, default: x }')).toEqual([false]);
    expect(required('{ name: a }')).toEqual([true]);
    expect(required('{ name: a }, { name: b, required: false }')).toEqual([true, false]);
  });

  it('finds an input in either spelling', () => {
    const text = `inputs: [{ name: project_path }]\n${workflowWithPrompt('{{.inputs.ProjectPath}}')}`;
    expect(parseWorkflow(text).inputs).toHaveLength(1);
  });

  it.each([
    ['{{foo.x}}', 'WORKFLOW.TEMPLATE.UNKNOWN_NAME steps[0].prompt: nothing is known as `foo`'],
    ['{{input.x}}', 'did you mean `inputs`?'],
    ['{{args.x}}', '{{args.…}} is for commands of tools'],
    ['{{inputs}}', '{{inputs}} needs a name'],
    ['{{inputs.__proto__}}', 'no input can be called `__proto__`'],
    ['{{states.none.output}}', 'there is no step `none`'],
    ['{{states.one.output}}', 'the step `one` cannot have run before `one`'],
    ['{{inputs.x | upper}}', 'WORKFLOW.TEMPLATE.SYNTAX'],
    ['{{inputs.x', '"{{" is never closed'],
  ])('refuses %s in a prompt, with its place', (prompt, message) => {
    const text = workflowWithPrompt(prompt);
    const [problem, ...others] = listProblems(text);
    expect(problem).toContain(message);
    expect(problem).toContain(`1:${text.indexOf('{{') + 1} `);
    expect(others).toEqual([]);
  });

  it('refuses what is not there yet in a command, a restriction and the workspace', () => {
    const text = `workspace: "{{args.x}}"
tools:
  - { name: a, command: "ls {{states.x.output}}", restrictions: { paths: ["{{states.x.output}}"] } }
`;
    expect(problemsOf(text).map(({ line, message }) => `${line} ${message}`)).toEqual([
      '1 workspace: {{args.…}} is for commands of tools; here there is {{inputs.…}} or {{env.…}}',
      '3 tools[0].command: {{states.…}} is for steps; here there is {{args.…}}, {{inputs.…}} or {{env.…}}',
      '3 tools[0].restrictions.paths[0]: {{states.…}} is for steps; here there is {{inputs.…}} or {{env.…}}',
    ]);
  });

  it('points into block texts, and reports every placeholder of one', () => {
    const text = `steps:
  - name: one
    provider: p
    prompt: |
      First {{inputs.ok}} and
      then {{oops.x}},
      {{inputs.y | raw}} and {{"{{"}} {{states.nine}}
`;
    expect(problemsOf(text).map(({ line, column }) => `${line}:${column}`)).toEqual(['6:12', '7:7', '7:39']);
  });

  it('takes state fields in both spellings, and no others', () => {
    const text = (field: string) =>
      `steps: [{ name: one, provider: p, prompt: x }, { name: two, provider: p, prompt: "{{states.one.${field}}}" }]`;
    for (const field of [
      'output',
      'Output',
      'tool_stats.total_calls',
      'ToolStats.TotalCalls',
      'StoppedBy',
      'ExitCode',
      'JSON.k',
    ]) {
      expect(listProblems(text(field))).toEqual([]);
    }
    expect(listProblems(text('outptu')).join()).toContain(
      "a step's state has no `outptu` → did you mean `output`?",
    );
    expect(listProblems(text('Stderr')).join()).toContain("a step's state has no `Stderr`");
  });
});

describe('the command of a provider', () => {
  const step = (options: string) =>
    `steps:\n  - { name: one, provider: command, prompt: hi, options: ${options} }\n`;

  it('names the options beside it, which name inputs', () => {
    const options = '{ command: "run {{options.model}}", model: "{{inputs.model}}" }';
    expect(listProblems(step(options))).toEqual([]);
  });

  it.each([
    ['{ command: "run {{inputs.model}}" }', 'here there is {{options.…}}'],
    [
      '{ command: "run {{options.modle}}", model: x }',
      'the step has no option `modle` → did you mean `model`?',
    ],
    ['{ model: "{{options.command}}" }', 'here there is'],
  ])('refuses %s', (options, words) => {
    expect(listProblems(step(options))).toEqual([expect.stringContaining(words)]);
  });
});
