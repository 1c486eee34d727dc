import { ToolgateError } from '../errors.js';

/** An expression, or a pattern in one, that cannot be read; `offset` is where in its source. */
export class ExpressionError extends ToolgateError {
  override readonly name = 'ExpressionError';
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super('WORKFLOW.EXPRESSION.INVALID', message);
  }
}
