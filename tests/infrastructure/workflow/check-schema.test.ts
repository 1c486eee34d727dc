import { describe, expect, it } from '@jest/globals';
import { listProblems, problemsOf } from './problems-of.js';

describe('checkSchema', () => {
  it('tells an unknown key by what was probably meant', () => {
    expect(listProblems('tools:\n  - name: a\n    restrctions: {}')).toEqual([
      '3:5 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `restrctions` → did you mean `restrictions`?',
    ]);
  });

  it('lists what may be there when nothing is close', () => {
    expect(listProblems('sandbox: { kernel: true }')).toEqual([
      '1:12 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `kernel` → what may be here: on_unavailable',
    ]);
  });

  it('tells a choice that fits no branch in one sentence', () => {
    expect(listProblems('tools: [{ name: a, approval: no }]')).toEqual([
      '1:30 WORKFLOW.VALIDATION.SCHEMA tools[0].approval: expected auto, prompt, deny or a mapping with default and rules; found "no"',
    ]);
    expect(listProblems('tools: [{ name: a, approval: false }]')).toEqual([
      '1:30 WORKFLOW.VALIDATION.SCHEMA tools[0].approval: expected auto, prompt, deny or a mapping with default and rules; found false',
    ]);
    expect(listProblems('tools: [{ name: a, approval: promt }]')[0]).toContain('did you mean `prompt`?');
  });

  it('tells a choice by the branch that was meant', () => {
    expect(listProblems('tools: [{ name: a, approval: { defualt: auto } }]')).toEqual([
      '1:32 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `defualt` → did you mean `default`?',
    ]);
    expect(listProblems('tools: [{ name: a, restrictions: { paths: [1] } }]')).toEqual([
      '1:44 WORKFLOW.VALIDATION.SCHEMA tools[0].restrictions.paths[0]: expected a text; found 1 → put it in quotes if you meant the text: "1"',
    ]);
    expect(listProblems('inputs: { a: { typ: string } }')).toEqual([
      '1:16 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `typ` → did you mean `type`?',
    ]);
  });

  it.each([
    ['name: [a]', '1:7 WORKFLOW.VALIDATION.SCHEMA name: expected a text; found a list'],
    ['tools: {}', '1:8 WORKFLOW.VALIDATION.SCHEMA tools: expected a list; found an empty mapping'],
    [
      'tools: [{ name: a, restrictions: null }]',
      '1:34 WORKFLOW.VALIDATION.SCHEMA tools[0].restrictions: expected a mapping; found nothing → leave the key out, or give it a value',
    ],
    [
      'tools: [{ name: a, restrictions: { paths: src } }]',
      '1:43 WORKFLOW.VALIDATION.SCHEMA tools[0].restrictions.paths: expected a list of patterns, or a mapping with read, write and deny; found "src" → write it as a list: ["src"]',
    ],
    [
      'tools: { grep: { command: grep } }',
      '1:8 WORKFLOW.VALIDATION.SCHEMA tools: expected a list; found a mapping → write it as a list: - name: grep',
    ],
    [
      'steps: [{ name: a, tools: [{ name: grep }] }]',
      '1:28 WORKFLOW.VALIDATION.SCHEMA steps[0].tools[0]: expected a text; found a mapping → write only its name here: grep',
    ],
    ['tools: [{ description: a }]', '1:9 WORKFLOW.VALIDATION.SCHEMA tools[0] needs `name`'],
    [
      'tools: [{ name: a, restrictions: { pids: 0 } }]',
      '1:42 WORKFLOW.VALIDATION.SCHEMA tools[0].restrictions.pids: expected 1 or more; found 0',
    ],
    [
      'tools: [{ name: a, restrictions: { hosts: ["https://x.org/y"] } }]',
      '1:44 WORKFLOW.VALIDATION.SCHEMA tools[0].restrictions.hosts[0]: expected a host such as api.example.com or *.example.org, without scheme and path; found "https://x.org/y"',
    ],
    [
      'sandbox: { on_unavailable: wran }',
      '1:28 WORKFLOW.VALIDATION.SCHEMA sandbox.on_unavailable: expected deny, prompt or warn; found "wran" → did you mean `warn`?',
    ],
    ['- a', '1:1 WORKFLOW.VALIDATION.SCHEMA the workflow: expected a mapping; found a list'],
    ['states: { 1a: {} }', '1:9 WORKFLOW.VALIDATION.SCHEMA states needs `initial`'],
  ])('says what it expected: %s', (text, problem) => {
    expect(listProblems(text)).toContain(problem);
  });

  it.each([
    ['hooks: {}', 'hooks are not supported'],
    [step('retry: { max_attempts: 3 }'), 'retry is not supported'],
    [step('type: parallel'), 'found "parallel"'],
  ])('says what is not supported: %s', (text, message) => {
    const [problem, ...others] = problemsOf(text);
    expect(problem).toMatchObject({
      code: 'WORKFLOW.VALIDATION.UNSUPPORTED',
      message: expect.stringContaining(message),
    });
    expect(others).toEqual([]);
  });

  it.each(['mcp_servers: {}', step('conversation: {}'), step('mode: single'), step('output_format: text')])(
    'lets pass what asks for nothing: %s',
    (text) => {
      expect(listProblems(text)).toEqual([]);
    },
  );

  it.each(['step', 'parallel', 'for_each', 'while', 'operation', 'call_workflow'])(
    'reports a state of type %s once, whatever its keys',
    (type) => {
      const text = `states:\n  initial: a\n  a:\n    type: ${type}\n    command: ls\n    on_success: done\n  done: { type: terminal }\n`;
      expect(listProblems(text)).toEqual([
        `4:11 WORKFLOW.VALIDATION.UNSUPPORTED states.a.type: only agent steps (and, in \`states:\`, terminal states) are supported; found "${type}"`,
      ]);
    },
  );

  it('reports everything at once, in the order of the file', () => {
    const text = `tols: []
tools:
  - name: read_fil
    builtin: true
    aproval: auto
steps:
  - name: one
    type: agent
    provider: claude
    prompt: "{{inputs.q}} {{foo.bar}}"
    tools: [read_fil]
    tool_options: { timeout_per_call: 1_000 }
    on_success: tow
  - name: two
    provider: p
    prompt: "{{states.on.output}}"
`;
    expect(problemsOf(text).map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual([
      '1:1 WORKFLOW.PARSE.UNKNOWN_FIELD',
      '3:11 WORKFLOW.TOOL.INVALID',
      '5:5 WORKFLOW.PARSE.UNKNOWN_FIELD',
      '10:27 WORKFLOW.TEMPLATE.UNKNOWN_NAME',
      '12:39 WORKFLOW.VALIDATION.SCHEMA',
      '13:17 WORKFLOW.VALIDATION.MISSING_STATE',
      '16:14 WORKFLOW.TEMPLATE.UNKNOWN_NAME',
    ]);
  });
});

function step(more: string): string {
  return `steps: [{ name: a, provider: p, prompt: x, ${more} }]`;
}
