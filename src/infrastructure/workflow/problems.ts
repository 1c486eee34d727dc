import type { ErrorCode } from '../../domain/errors.js';
import { toVisible } from '../../domain/visible-text.js';
import type { SourceText } from './source-text.js';
import { type WorkflowProblem, WorkflowProblemsError } from './workflow-problems-error.js';

const MAX_LISTED = 50;
const MAX_WORDS = 500;

/** What is wrong, before it is known where. */
export interface Finding {
  readonly code: ErrorCode;
  readonly message: string;
  /** Worked out only for problems that are shown: a file may have ten thousand. */
  readonly suggestion?: (() => string | undefined) | undefined;
}

interface PlacedFinding extends Finding {
  readonly offset: number;
}

/** Collects every problem of one file, so that they are reported together. */
export class Problems {
  readonly #found: PlacedFinding[] = [];

  constructor(readonly source: SourceText) {}

  add(offset: number, finding: Finding): void {
    this.#found.push({ ...finding, offset });
  }

  /** Ends here: nothing after this can be judged. */
  fail(offset: number, finding: Finding): never {
    this.add(offset, finding);
    throw this.#toError();
  }

  throwIfAny(): void {
    if (this.#found.length > 0) throw this.#toError();
  }

  #toError(): Error | undefined {
    const distinct = new Map<string, PlacedFinding>();
    for (const finding of this.#found) distinct.set(`${finding.offset} ${finding.message}`, finding);
    const sorted = [...distinct.values()].sort((left, right) => left.offset - right.offset);
    const [first, ...rest] = sorted.slice(0, MAX_LISTED).map((finding) => this.#describe(finding));
    return first && new WorkflowProblemsError([first, ...rest], sorted.length);
  }

  #describe(finding: PlacedFinding): WorkflowProblem {
    const suggestion = finding.suggestion?.();
    return {
      code: finding.code,
      message: toVisible(shorten(finding.message)),
      file: this.source.file,
      ...this.source.positionAt(finding.offset),
      frame: this.source.frameAt(finding.offset),
      ...(suggestion === undefined ? {} : { suggestion: toVisible(shorten(suggestion)) }),
    };
  }
}

function shorten(text: string): string {
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}
