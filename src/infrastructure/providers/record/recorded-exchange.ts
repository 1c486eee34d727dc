import type { Failure } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import type { UsageJson } from '../../../domain/message.js';
import type { RequestedCall } from '../../../domain/tool-call.js';

/** The first line of a recording. */
export const HEADER = { type: 'toolgate-recording', version: 1 } as const;

/** What an agent answered, or why it did not. */
export type RecordedReply =
  | {
      readonly text: string;
      readonly tool_calls: readonly RequestedCall[];
      readonly cut_off?: boolean;
      readonly usage?: UsageJson;
      /** Where the usage is of several requests: how much of the context is taken. */
      readonly context_tokens?: number;
    }
  | { readonly failure: Failure; readonly usage?: UsageJson };

/** A line: one request, as far as it differs from the one in the line before, and its reply. */
export interface RecordedLine {
  /** Which request of the run this is, from 0. One that was asked again after a crash is there twice. */
  readonly n: number;
  readonly step: string;
  readonly provider: string;
  readonly agent: string;
  readonly tool_protocol: 'native' | 'text' | 'none';
  readonly request: {
    /** How many messages are those of the line before. */
    readonly same_messages: number;
    readonly messages: readonly Json[];
    /** Left out where they are those of the line before. */
    readonly tools?: readonly Json[];
    readonly options?: JsonObject;
  };
  readonly reply: RecordedReply;
}

/** A request that is whole again. Messages are kept as JSON text: so they are compared, and shared. */
export interface RecordedRequest {
  readonly messages: readonly string[];
  readonly tools: string;
  readonly options: string;
}

export interface RecordedExchange extends Omit<RecordedLine, 'request'> {
  readonly request: RecordedRequest;
}
