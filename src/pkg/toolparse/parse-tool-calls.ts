import { bare, readBody } from './formats/document.js';
import { WIRE_FORMATS } from './formats/format-table.js';
import type { WireFormat } from './formats/wire-format.js';
import { isObject } from './json/own.js';
import { Collector } from './scan/collector.js';
import type { Draft } from './scan/draft.js';
import type { Interpretation } from './scan/json-block.js';
import { type Plan, planFor } from './scan/plan.js';
import { Scanner } from './scan/scanner.js';
import { EventStream, type Parse } from './stream-events/event-stream.js';
import { ResponseReader } from './stream-events/response-reader.js';
import type { Json, ParseOptions, ParseResult } from './types.js';

const NOWHERE = { start: 0, end: 0 };

/**
 * Reads the tool calls of a model's text, of a provider's body or of its event stream; body and events may be text or
 * parsed objects. Whatever the model wrote, it returns; it throws only for a format that does not exist.
 */
export function parseToolCalls(response: string | object, options: ParseOptions = {}): ParseResult {
  const plan = planFor(options);
  const collector = new Collector(options, false);
  if (typeof response === 'string') new ResponseReader({ plan, options, collector }).end(response);
  else parseBody(response, { plan, options, collector });
  return collector.result();
}

function parseBody(body: object, parse: Parse): void {
  const { plan, collector } = parse;
  // An object can only be a body, whatever text format the text inside it is read in.
  const formats = plan.wire.length > 0 ? plan.wire : WIRE_FORMATS;
  if (readEventObjects(body, formats, parse)) return;
  const found = isObject(body) ? readBody(body, formats) : undefined;
  const reading = found ?? bare(body as Json, true);
  if (!reading || !acceptBody(reading, plan, collector)) {
    const note = reading?.note;
    const message =
      note?.message ?? 'This is no body of a provider that is known, and no call of a declared tool.';
    collector.problem(note?.code ?? 'body-unrecognised', message, NOWHERE);
  }
}

/** Reads one event, or a list of them; false when it is something else. */
function readEventObjects(body: object, formats: readonly WireFormat[], parse: Parse): boolean {
  const events = (Array.isArray(body) ? body : [body]).filter(isObject);
  const [first] = events;
  const format = first && formats.find((candidate) => candidate.events.isEvent(first));
  if (!format) return false;
  const stream = new EventStream(format, parse);
  for (const value of events) stream.read({ value, source: '', ...NOWHERE });
  stream.end();
  return true;
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
  const { format, declaredOnly = false, text, refused } = found;
  const said = text === undefined ? {} : { text };
  const reading = { kind: 'calls', format, drafts, end: 0, refused, ...said } as const;
  const calls = collector.accept(reading, NOWHERE, declaredOnly);
  if (!calls) return false;
  collector.body(
    () => {
      if (calls.length > 0) collector.text(text ?? '');
      else new Scanner({ ...plan, document: undefined }, collector).end(text ?? '');
    },
    { ...NOWHERE, refused },
  );
  return true;
}
