import type { RunOutcome } from '../../../application/run-request.js';
import { stateToJson } from '../../../application/state-json.js';
import type { JsonObject } from '../../../domain/json.js';

/** What a run came to, as programs get it. */
export function outcomeToJson({ runId, status, states, message }: RunOutcome): JsonObject {
  return {
    run_id: runId,
    status,
    ...(message === undefined ? {} : { message }),
    states: Object.fromEntries([...states].map(([name, state]) => [name, stateToJson(state)])),
  };
}
