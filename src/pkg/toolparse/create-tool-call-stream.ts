import { Collector } from './scan/collector.js';
import { planFor } from './scan/plan.js';
import { ResponseReader } from './stream-events/response-reader.js';
import type { ParseOptions, ParseResult, StreamEvent } from './types.js';

export interface ToolCallStream {
  /** Reads on, and tells what has become certain. */
  push(chunk: string): StreamEvent[];
  /** The result of the whole, the same as that of `parseToolCalls`; a second call gives the same result again. */
  end(): ParseResult;
}

/** Reads a response as it arrives. However it is cut into chunks, the end is the same. */
export function createToolCallStream(options: ParseOptions = {}): ToolCallStream {
  const collector = new Collector(options, true);
  const reader = new ResponseReader({ plan: planFor(options), options, collector });
  let result: ParseResult | undefined;
  return {
    push(chunk) {
      if (result) throw new TypeError('The stream has ended: create a new one for the next response.');
      reader.push(chunk);
      return collector.takeEvents();
    },
    end() {
      if (result) return result;
      reader.end();
      result = collector.result();
      return result;
    },
  };
}
