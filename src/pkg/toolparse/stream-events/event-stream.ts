import type { WireFormat, WireReading } from '../formats/wire-format.js';
import type { Block, Collector } from '../scan/collector.js';
import type { Plan } from '../scan/plan.js';
import type { ParseOptions, ProblemCode } from '../types.js';
import { CallAssembly } from './call-assembly.js';
import { ContentText } from './content-text.js';
import { errorMessage } from './error-event.js';
import type { CallOpening, Ending, EventReader, EventSink, WireEvent } from './event-reader.js';
import type { StreamPart } from './event-source.js';
import type { OpenCall } from './open-call.js';

/** What every part of a parse works with. */
export interface Parse {
  readonly plan: Plan;
  readonly options: ParseOptions;
  readonly collector: Collector;
}

/** Turns the events of one provider's stream into text, calls and problems. */
export class EventStream implements EventSink {
  readonly #format: WireFormat;
  readonly #collector: Collector;
  readonly #reader: EventReader;
  readonly #calls: CallAssembly;
  readonly #content: ContentText;
  #ending: Ending | undefined;
  #place: Block = { start: 0, end: 0 };
  #unreadable = 0;

  constructor(format: WireFormat, { plan, options, collector }: Parse) {
    this.#format = format;
    this.#collector = collector;
    this.#reader = format.events.open();
    this.#calls = new CallAssembly(collector, format.id);
    this.#content = new ContentText(plan, options, collector);
  }

  take(part: StreamPart): void {
    if (part.kind === 'event') this.read(part.event);
    else if (part.kind === 'done') this.finish('whole');
    else {
      this.#place = { start: part.start, end: part.end };
      this.#skip();
    }
  }

  read(event: WireEvent): void {
    this.#place = { start: event.start, end: event.end };
    this.#calls.enter(event);
    const error = errorMessage(event.value);
    if (error !== undefined) {
      this.problem('provider-error', `The provider reports an error: ${error}`);
      return;
    }
    const isEvent = this.#format.events.isEvent(event.value);
    const body = isEvent ? undefined : this.#format.read(event.value);
    if (body) this.#readBody(body);
    else this.#reader.read(event.value, this);
  }

  /** Everything has been read. */
  end(): void {
    this.#reader.end?.();
    this.#calls.finish(this.#ending);
    const isTruncated = this.#ending === undefined && this.#format.events.isOpenEnded !== true;
    if (isTruncated) this.problem('stream-truncated', 'The event stream ends before the reply does.');
    this.#collector.wire(this.#format.id);
    this.#content.end({ start: 0, end: this.#place.end });
    if (this.#ending === 'refused') this.#collector.withdraw(this.#place);
  }

  text(text: string): void {
    if (text === '') return;
    this.#calls.goOn();
    this.#content.push(text);
  }

  open(opening: CallOpening): OpenCall {
    this.#content.settle();
    return this.#calls.open(opening);
  }

  finish(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#reader.end?.();
    this.#calls.finish(ending);
  }

  problem(code: ProblemCode, message: string): void {
    this.#collector.problem(code, message, this.#place);
  }

  /** An event that is a whole body. */
  #readBody({ text, calls, cut, refused }: WireReading): void {
    this.text(text);
    for (const { name, id, arguments: args } of calls) {
      const call = this.open({ name, id });
      call.replace(args ?? {});
      call.stop();
    }
    if (cut) this.finish('cut');
    else this.finish(refused ? 'refused' : 'whole');
  }

  /** One word is enough for any number of them. */
  #skip(): void {
    this.#unreadable += 1;
    if (this.#unreadable > 1) return;
    this.problem(
      'event-unreadable',
      'A part of the event stream is no event that can be read, and was passed over.',
    );
  }
}
