import type { ConversationState } from '../domain/conversation.js';
import type { Enforcement } from '../domain/enforcement.js';
import type { Json, JsonObject } from '../domain/json.js';
import { usageToJson } from '../domain/message.js';
import type { CallRecord, StepState } from '../domain/step-state.js';
import type { ToolResult } from '../domain/tool-result.js';

/** A step's state as `states.<step>` shows it: SPEC's keys, snake_case, and ours beside them. */
export function stateToJson(state: StepState): JsonObject {
  const { toolStats, usage } = state;
  return {
    output: state.output,
    tool_calls: state.toolCalls.map(callToJson),
    tool_stats: {
      total_calls: toolStats.totalCalls,
      successful: toolStats.successful,
      failed: toolStats.failed,
      denied: toolStats.denied,
      total_duration_ms: toolStats.totalDurationMs,
    },
    stopped_by: state.stoppedBy,
    turns: state.turns,
    usage: usageToJson(usage),
    ...(state.conversation ? { conversation: conversationToJson(state.conversation) } : {}),
    ...(state.error ? { error: { ...state.error } } : {}),
  };
}

function conversationToJson({ turns, totalTokens, stoppedBy, summaries }: ConversationState): JsonObject {
  return { turns, total_tokens: totalTokens, stopped_by: stoppedBy, summaries };
}

/** A call's result as the state and `toolgate call` show it. */
export function resultToJson(result: ToolResult): JsonObject {
  const { enforcement, truncated } = result;
  return {
    success: result.success,
    output: result.output,
    ...(result.error ? { error: { ...result.error } } : {}),
    ...(result.data === undefined ? {} : { data: result.data }),
    duration_ms: result.durationMs,
    approval: result.approval,
    enforcement: enforcementToJson(enforcement),
    ...(truncated
      ? {
          truncated: {
            total_bytes: truncated.totalBytes,
            kept_bytes: truncated.keptBytes,
            ...(truncated.file ? { file: truncated.file } : {}),
          },
        }
      : {}),
  };
}

export function enforcementToJson(enforcement: Enforcement): JsonObject {
  return {
    backend: enforcement.backend,
    fs_read: enforcement.fsRead,
    fs_write: enforcement.fsWrite,
    exec: enforcement.exec,
    network: enforcement.network,
    memory: enforcement.memory,
    pids: enforcement.pids,
    kill_tree: enforcement.killTree,
    env: enforcement.env,
    reasons: [...enforcement.reasons],
  };
}

function callToJson(call: CallRecord): Json {
  return { id: call.id, tool: call.tool, arguments: call.arguments, result: resultToJson(call.result) };
}
