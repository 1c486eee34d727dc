import { bare, readBody } from './formats/document.js';
import { WIRE_FORMATS } from './formats/format-table.js';
import { isObject } from './json/own.js';
import { Collector } from './scan/collector.js';
import type { Draft } from './scan/draft.js';
import type { Interpretation } from './scan/json-reading.js';
import { type Plan, planFor } from './scan/plan.js';
import { Scanner } from './scan/scanner.js';
import type { Json, ParseOptions, ParseResult } from './types.js';

const NOWHERE = { start: 0, end: 0 };

/**
 * Reads the tool calls of a model's text or of a provider's body, which may be JSON text or the parsed object. Whatever
 * the model wrote, it returns; it throws only for a format that does not exist.
 */
export function parseToolCalls(response: string | object, options: ParseOptions = {}): ParseResult {
  const plan = planFor(options);
  const collector = new Collector(options, false);
  if (typeof response === 'string') new Scanner(plan, collector).end(response);
  else parseBody(response, plan, collector);
  return collector.result();
}

function parseBody(body: object, plan: Plan, collector: Collector): void {
  // An object can only be a body, whatever text format the text inside it is read in.
  const formats = plan.wire.length > 0 ? plan.wire : WIRE_FORMATS;
  const found = isObject(body) ? readBody(body, formats) : undefined;
  const reading = found ?? bare(body as Json, true);
  if (!reading || !acceptBody(reading, plan, collector)) {
    const note = reading?.note;
    const message =
      note?.message ?? 'This is no body of a provider that is known, and no call of a declared tool.';
    collector.problem(note?.code ?? 'body-unrecognised', message, NOWHERE);
  }
}

function acceptBody(found: Interpretation, plan: Plan, collector: Collector): boolean {
  const drafts = found.calls.map((call, index): Draft => {
    const isCut = found.cut === true && index === found.calls.length - 1;
    return {
      name: call.name,
      id: call.id,
      arguments: { kind: found.encoded ? 'encoded' : 'json', value: call.arguments },
      complete: !(isCut && typeof call.arguments !== 'string'),
      fixes: [],
    };
  });
  const { format, declaredOnly = false, text } = found;
  const reading = { kind: 'calls', format, drafts, end: 0, ...(text === undefined ? {} : { text }) } as const;
  const calls = collector.accept(reading, NOWHERE, declaredOnly);
  if (!calls) return false;
  collector.body(() => {
    if (calls.length > 0) collector.text(text ?? '');
    else new Scanner({ ...plan, document: undefined }, collector).end(text ?? '');
  });
  return true;
}
