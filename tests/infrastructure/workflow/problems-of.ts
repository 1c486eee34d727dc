import { type ParseOptions, parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import type { WorkflowProblem } from '../../../src/infrastructure/workflow/workflow-problems-error.js';
import { WorkflowProblemsError } from '../../../src/infrastructure/workflow/workflow-problems-error.js';

/** All that is wrong with a workflow; none when it loads. */
export function problemsOf(
  text: string | Uint8Array,
  options: ParseOptions = {},
): readonly WorkflowProblem[] {
  try {
    parseWorkflow(text, options);
    return [];
  } catch (error) {
    if (error instanceof WorkflowProblemsError) return error.problems;
    throw error;
  }
}

/** The same, one line each: `3:5 CODE message → suggestion`. */
export function listProblems(text: string | Uint8Array, options: ParseOptions = {}): readonly string[] {
  return problemsOf(text, options).map(({ line, column, code, message, suggestion }) => {
    return `${line}:${column} ${code} ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`;
  });
}

/** A workflow of one step with this prompt. */
export function workflowWithPrompt(prompt: string): string {
  return `steps: [{ name: one, provider: scripted, prompt: ${JSON.stringify(prompt)} }]`;
}
