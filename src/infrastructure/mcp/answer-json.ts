import { isJsonObject } from '../../domain/json.js';
import type { ServedAnswer } from '../../ports/tool-server.js';
import type { CallToolResult } from './sdk.js';

/** An answer as clients get it: the text that a model reads, structured data beside it, and what the gate did. */
export function toCallResult({ text, result }: ServedAnswer): CallToolResult {
  const { success, data, error, approval, durationMs, truncated } = result;
  const gate = {
    approval,
    duration_ms: durationMs,
    ...(error ? { error: { ...error } } : {}),
    ...(truncated
      ? { truncated: { total_bytes: truncated.totalBytes, kept_bytes: truncated.keptBytes } }
      : {}),
  };
  return {
    content: [{ type: 'text', text }],
    ...(isJsonObject(data) ? { structuredContent: { ...data } } : {}),
    ...(success ? {} : { isError: true }),
    _meta: { 'toolgate/result': gate },
  };
}

/** An answer for a call that could not even be recorded. */
export function brokenAnswer(message: string): CallToolResult {
  return { content: [{ type: 'text', text: `Not run: ${message}` }], isError: true };
}
