import type { ModelResponse } from './model-transport.js';
import { type Came, EventSink, LineSink, type ReplySink, type TakeEvent, WholeSink } from './reply-sinks.js';
import { type ReadLimits, textOf } from './reply-text.js';
import { ServerEvents } from './split-events.js';

export type StreamFormat = 'sse' | 'lines';

/** How a reply is read. */
export interface ReplyReading extends ReadLimits {
  /** How the API streams. */
  readonly format: StreamFormat;
  readonly take: TakeEvent;
}

/** Reads a reply until it ends or enough is read. What it is shows where it begins: labels are often wrong. */
export async function readReply(
  response: ModelResponse,
  { format, take, ...limits }: ReplyReading,
): Promise<Came> {
  const type = String(response.headers['content-type']);
  let sink: ReplySink | undefined;
  for await (const piece of textOf(response, limits)) {
    const text = sink ? piece : piece.trimStart();
    if (text === '') continue;
    sink ??= sinkFor(text, type, { format, take });
    const came = sink.push(text);
    if (came) return came;
  }
  return (sink ?? sinkFor('', type, { format, take })).end();
}

/** How a line of server-sent events may begin: a comment, data, event, error, id, retry. */
const EVENT_START = /^[:deir]/;

function sinkFor(
  start: string,
  type: string,
  { format, take }: Pick<ReplyReading, 'format' | 'take'>,
): ReplySink {
  const isEvents = EVENT_START.test(start) || (type.includes('event-stream') && !/^[{[]/.test(start));
  if (isEvents) return new EventSink(new ServerEvents(), take);
  return format === 'lines' ? new LineSink(take) : new WholeSink(take);
}
