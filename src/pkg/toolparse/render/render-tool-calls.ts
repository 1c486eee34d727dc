import { type RenderOptions, requireTextFormat } from './render-tool-results.js';
import { type WrittenCall, writeCall } from './write-call.js';

/** Writes calls as a model would: for a history whose calls were taken out of the text they stood in. */
export function renderToolCalls(calls: readonly WrittenCall[], options: RenderOptions = {}): string {
  const format = requireTextFormat(options.format ?? 'hermes');
  return calls.map((call) => writeCall(format, call)).join('\n');
}
