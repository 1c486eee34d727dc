import { describe, expect, it } from '@jest/globals';
import { ToolgateError } from '../../../src/domain/errors.js';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { WorkflowProblemsError } from '../../../src/infrastructure/workflow/workflow-problems-error.js';

function errorOf(text: string): WorkflowProblemsError {
  try {
    parseWorkflow(text, { file: 'flow.yaml' });
  } catch (error) {
    if (error instanceof WorkflowProblemsError) return error;
  }
  throw new Error('the workflow loads');
}

describe('WorkflowProblemsError', () => {
  it('prints each problem with its place, its code, a frame and a suggestion', () => {
    const error = errorOf('name: x\ntols: []\nsteps: 5\n');
    expect(error.message).toBe(`flow.yaml has 2 problems

flow.yaml:2:1 unknown key \`tols\` [WORKFLOW.PARSE.UNKNOWN_FIELD]
    1 | name: x
  > 2 | tols: []
      | ^
    3 | steps: 5
  did you mean \`tools\`?

flow.yaml:3:8 steps: expected a list; found 5 [WORKFLOW.VALIDATION.SCHEMA]
    2 | tols: []
  > 3 | steps: 5
      |        ^`);
  });

  it('is a ToolgateError with the code of the first problem, and carries all as data', () => {
    const error = errorOf('steps: 5\ntols: []');
    expect(error).toBeInstanceOf(ToolgateError);
    expect(error).toMatchObject({ code: 'WORKFLOW.VALIDATION.SCHEMA', category: 'WORKFLOW', total: 2 });
    expect(error.problems[1]).toStrictEqual({
      code: 'WORKFLOW.PARSE.UNKNOWN_FIELD',
      message: 'unknown key `tols`',
      file: 'flow.yaml',
      line: 2,
      column: 1,
      frame: '  1 | steps: 5\n> 2 | tols: []\n    | ^',
      suggestion: 'did you mean `tools`?',
    });
    expect(JSON.parse(JSON.stringify(error.details))).toEqual({ problems: error.problems, total: 2 });
  });

  it('lists fifty, and counts the rest', () => {
    const error = errorOf(Array.from({ length: 80 }, (_, index) => `key${index}: 1`).join('\n'));
    expect(error.problems).toHaveLength(50);
    expect(error.message).toMatch(/^flow\.yaml has 80 problems/);
    expect(error.message).toMatch(/… and 30 more$/);
  });
});
