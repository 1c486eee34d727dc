import { isJsonObject } from '../domain/json.js';
import { tokensUsed } from '../domain/message.js';
import type { StepState } from '../domain/step-state.js';
import type { TemplateScope } from '../domain/template.js';
import type { InputValues } from '../domain/workflow.js';
import { stateToJson } from './state-json.js';

/** What `{{inputs.x}}`, `{{states.s.output}}` and `{{env.X}}` find. AWF's names for state fields are there too. */
export function templateScope(
  inputs: InputValues,
  states: ReadonlyMap<string, StepState>,
  env: Readonly<Record<string, string | undefined>>,
): TemplateScope {
  const byName = [...states].map(([name, state]) => [name, stateFields(state)]);
  return { inputs, env, states: Object.fromEntries(byName) };
}

function stateFields(state: StepState): Readonly<Record<string, unknown>> {
  const { inputTokens, outputTokens } = state.usage;
  const isDone = state.stoppedBy === 'completed';
  return {
    ...stateToJson(state),
    status: isDone ? 'completed' : 'failed',
    exit_code: isDone ? 0 : 1,
    tokens_used: tokensUsed(state.usage),
    tokens_input: inputTokens,
    tokens_output: outputTokens,
    ...parsedOutput(state.output),
    ...awfConversation(state),
  };
}

/** AWF counts a conversation's turns under another name. */
function awfConversation(state: StepState): Readonly<Record<string, unknown>> {
  const { conversation } = stateToJson(state);
  if (!state.conversation || !isJsonObject(conversation)) return {};
  return { conversation: { ...conversation, total_turns: state.conversation.turns } };
}

/** `{{states.s.JSON.field}}` and `{{states.s.Response.field}}`, for an agent that answered in JSON. */
function parsedOutput(output: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(output);
    return { json: parsed, response: parsed };
  } catch {
    return {};
  }
}
