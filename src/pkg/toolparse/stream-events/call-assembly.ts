import { unwrapParallel } from '../formats/parallel-uses.js';
import { repeatsKey } from '../json/repeated-keys.js';
import type { Block, Collector } from '../scan/collector.js';
import type { Draft } from '../scan/draft.js';
import type { CallOpening, Ending, WireEvent } from './event-reader.js';
import { type CallListener, OpenCall } from './open-call.js';

/**
 * Puts the calls of an event stream together. They are handed on in the order in which they began, each as soon as it is
 * certain: where the arguments do not show that they are whole, that is when something follows, or at the end.
 */
export class CallAssembly implements CallListener {
  readonly #collector: Collector;
  readonly #format: string;
  readonly #calls: OpenCall[] = [];
  /** The first call that is not handed on yet. */
  #next = 0;
  #event: WireEvent | undefined;

  constructor(collector: Collector, format: string) {
    this.#collector = collector;
    this.#format = format;
  }

  /** The event that is read now. */
  enter(event: WireEvent): void {
    this.#event = event;
  }

  open(opening: CallOpening): OpenCall {
    this.goOn();
    const call = new OpenCall(this, this.#calls.length, opening);
    call.start = this.#event?.start ?? 0;
    call.end = this.#event?.end ?? 0;
    this.#calls.push(call);
    if (call.name !== '') this.named(call);
    return call;
  }

  /** Something follows: what has stopped before it was not cut off. */
  goOn(): void {
    this.#handOn(({ isStopped }) => isStopped);
  }

  /** Hands on what is left. Without an ending, the stream broke off. */
  finish(ending: Ending | undefined): void {
    const isWhole = ending === 'whole';
    this.#handOn(
      () => true,
      (call) => isWhole || (ending === undefined && call.isStopped && call.hasArguments),
    );
  }

  named(call: OpenCall): void {
    call.isAnnounced = true;
    const { name, number } = call;
    this.#collector.blockStart(call.format ?? this.#format, call.start, { block: number, name });
    if (call.text !== '') this.told(call, call.text);
  }

  told(call: OpenCall, text: string): void {
    call.end = Math.max(call.end, this.#event?.end ?? 0);
    if (call.isAnnounced) this.#collector.blockDelta(text, call.number);
  }

  stopped(call: OpenCall): void {
    call.end = Math.max(call.end, this.#event?.end ?? 0);
    this.#handOn(({ isStopped, isBalanced }) => isStopped && isBalanced);
  }

  repeatsKey(): boolean {
    const { source = '', value = {} } = this.#event ?? {};
    return repeatsKey(source, value);
  }

  #handOn(isReady: (call: OpenCall) => boolean, isWhole: (call: OpenCall) => boolean = () => true): void {
    for (let call = this.#calls[this.#next]; call && isReady(call); call = this.#calls[this.#next]) {
      this.#next += 1;
      call.isHandedOn = true;
      this.#accept(call, isWhole(call));
    }
  }

  #accept(call: OpenCall, isWhole: boolean): void {
    const block: Block = { start: call.start, end: call.end };
    if (call.name === '') {
      this.#collector.problem('call-unreadable', 'A call without a name was left out.', block);
      return;
    }
    const format = call.format ?? this.#format;
    const reading = { kind: 'calls', format, drafts: draftsOf(call.draft(isWhole)), end: call.end } as const;
    this.#collector.blockEnd(this.#collector.accept(reading, block, false) ?? [], call.number);
  }
}

function draftsOf(draft: Draft): readonly Draft[] {
  if (draft.arguments.kind !== 'encoded') return [draft];
  return unwrapParallel({ name: draft.name, id: draft.id, arguments: draft.arguments.value }).map((call) => ({
    ...draft,
    name: call.name,
    id: call.id,
    arguments: { kind: 'encoded', value: call.arguments },
  }));
}
