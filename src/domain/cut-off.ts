import type { Failure } from './errors.js';

const MORE_ROOM = "; give it more room with max_tokens among the step's options";

/** Why a step ends with half an answer: its tokens ran out, unless the provider gives another reason. */
export function cutOffFailure(reason?: string): Failure {
  return {
    code: 'EXECUTION.PROVIDER.CUT_OFF',
    message: `The agent's reply was cut off before its end${reason === undefined ? MORE_ROOM : `: ${reason}`}`,
  };
}
