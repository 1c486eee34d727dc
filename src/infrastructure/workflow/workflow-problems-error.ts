import { type ErrorCode, ToolgateError } from '../../domain/errors.js';
import { toVisible } from '../../domain/visible-text.js';

/** One thing that is wrong with a workflow file, and where. */
export interface WorkflowProblem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line with a caret below the place, and its neighbours. */
  readonly frame: string;
  /** What was probably meant, or what there is to choose from. */
  readonly suggestion?: string;
}

/** All that is wrong with one workflow file, in the order of the file; its code is the first problem's. */
export class WorkflowProblemsError extends ToolgateError {
  override readonly name = 'WorkflowProblemsError';

  constructor(
    readonly problems: readonly [WorkflowProblem, ...WorkflowProblem[]],
    /** How many there were; `problems` holds the first of them. */
    readonly total: number = problems.length,
  ) {
    super(problems[0].code, describe(problems, total), {
      details: { problems: problems.map((problem) => ({ ...problem })), total },
    });
  }
}

function describe(problems: readonly WorkflowProblem[], total: number): string {
  const file = toVisible(problems[0]?.file ?? '');
  const title = total === 1 ? `${file} has a problem` : `${file} has ${total} problems`;
  const more = total > problems.length ? [`… and ${total - problems.length} more`] : [];
  return [title, ...problems.map(describeOne), ...more].join('\n\n');
}

function describeOne(problem: WorkflowProblem): string {
  const place = `${toVisible(problem.file)}:${problem.line}:${problem.column}`;
  const lines = [`${place} ${problem.message} [${problem.code}]`];
  if (problem.frame !== '') lines.push(problem.frame.replace(/^/gm, '  '));
  if (problem.suggestion !== undefined) lines.push(`  ${problem.suggestion}`);
  return lines.join('\n');
}
