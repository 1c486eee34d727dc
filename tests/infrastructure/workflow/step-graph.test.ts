import { describe, expect, it } from '@jest/globals';
import { listProblems } from './problems-of.js';

const AGENT = 'type: agent, provider: p, prompt: x';

describe('checkStepGraph', () => {
  it('refuses a target that is not there, and says what was meant', () => {
    const text = `states:
  initial: analyse
  analyze: { ${AGENT}, on_success: dne, on_failure: filed }
  done: { type: terminal }
  failed: { type: terminal, status: failure }
`;
    expect(listProblems(text)).toEqual([
      '2:12 WORKFLOW.VALIDATION.MISSING_STATE states.initial: there is no `analyse` to go to → did you mean `analyze`?',
      expect.stringContaining('there is no `dne` to go to → did you mean `done`?'),
      expect.stringContaining('there is no `filed` to go to → did you mean `failed`?'),
    ]);
  });

  it('refuses states that lead only to each other', () => {
    const text = `states:
  initial: a
  a: { ${AGENT}, on_success: b, on_failure: b }
  b: { ${AGENT}, on_success: a, on_failure: b }
`;
    expect(listProblems(text)).toEqual([
      '3:6 WORKFLOW.VALIDATION.CYCLE_DETECTED from `a` the workflow can never end: `a`, `b` lead only to each other → let one of them go on to a terminal state, or leave out its `on_failure`',
    ]);
  });

  it('takes a loop that can end', () => {
    const text = `states:
  initial: a
  a: { ${AGENT}, on_success: b, on_failure: b }
  b: { ${AGENT}, on_success: a, on_failure: done }
  done: { type: terminal }
`;
    expect(listProblems(text)).toEqual([]);
  });

  it('takes a reference to any step that can have run before', () => {
    const text = `states:
  initial: a
  a: { type: agent, provider: p, prompt: "{{states.b.output}}", on_success: b }
  b: { type: agent, provider: p, prompt: "{{states.a.output}}", on_success: a }
`;
    expect(listProblems(text)).toEqual([]);
  });

  it('refuses a reference to a later step of a list', () => {
    const text = `steps:
  - { name: a, provider: p, prompt: "{{states.b.output}}" }
  - { name: b, provider: p, prompt: x }
`;
    expect(listProblems(text)).toEqual([
      '2:38 WORKFLOW.TEMPLATE.UNKNOWN_NAME steps[0].prompt: the step `b` cannot have run before `a`',
    ]);
  });

  it('takes a reference to any step that can have run when the workflow ends', () => {
    const text = `states:
  initial: a
  a: { ${AGENT}, on_success: b, on_failure: { message: "{{states.a.output}}" } }
  b: { ${AGENT}, on_success: done, on_failure: failed }
  done: { type: terminal, message: "{{.states.a.Output}} {{states.b.output}} {{inputs.x}} {{env.HOME}}" }
  failed: { type: terminal, status: failure, message: "{{states.b.error}}" }
  spare: { type: terminal, message: "{{states.b.output}}" }
`;
    expect(listProblems(text)).toEqual([]);
  });

  it('refuses one to a step that cannot have run by then', () => {
    const text = `states:
  initial: a
  a: { ${AGENT}, on_success: b, on_failure: { message: "{{states.b.output}}" } }
  b: { ${AGENT}, on_success: done, on_failure: c }
  c: { ${AGENT} }
  done: { type: terminal, message: "{{states.c.output}}, {{states.non.output}}, {{states.b.outptu}}, {{args.x}}" }
`;
    expect(listProblems(text)).toEqual([
      expect.stringMatching(
        /^3:\d+ .*on_failure.message: the step `b` cannot have run when the workflow ends here/,
      ),
      expect.stringMatching(/^6:37 .*done.message: the step `c` cannot have run when the workflow ends here/),
      expect.stringContaining('done.message: there is no step `non`'),
      expect.stringContaining('did you mean `output`?'),
      expect.stringContaining('{{args.…}} is for commands of tools'),
    ]);
  });

  it('refuses two steps of one name, both dialects at once, and a beginning that is an end', () => {
    expect(listProblems(`steps: [{ name: a, ${AGENT} }, { name: a, ${AGENT} }]`).join()).toContain(
      '`a` is there already',
    );
    expect(listProblems(`steps: []\nstates: { initial: a, a: { ${AGENT} } }`).join()).toContain('not both');
    expect(listProblems('states: { initial: a, a: { type: terminal } }').join()).toContain('does nothing');
    expect(listProblems(`states: { initial: a, a: { ${AGENT}, name: b } }`).join()).toContain('is its key');
  });
});

describe('checkStepTools', () => {
  const step = (tool: string) =>
    `tools: [{ name: search_code }]\nsteps: [{ name: a, ${AGENT}, tools: [${tool}] }]`;

  it('refuses what is clearly a mistake', () => {
    expect(listProblems(step('serach_code')).join()).toContain('did you mean `search_code`?');
    expect(listProblems(step('shell')).join()).toContain('declare it: - { name: shell, builtin: true }');
    expect(listProblems(step('search_code, search_code')).join()).toContain('is there already');
  });

  it('lets a name pass that may be a handler bound in code', () => {
    expect(listProblems(step('my_handler'))).toEqual([]);
  });

  it('refuses every unknown tool when it is told the handlers', () => {
    expect(listProblems(step('my_handler'), { handlers: ['my_handler'] })).toEqual([]);
    expect(listProblems(step('my_handler'), { handlers: ['other'] }).join()).toContain(
      'no tool `my_handler` is declared under `tools` → the tools are: search_code, other',
    );
  });
});
