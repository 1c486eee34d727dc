import { isObject, tryParse } from '../json/own.js';
import type { EventSource, StreamPart } from './event-source.js';
import type { Line } from './line-splitter.js';

const NONE: readonly StreamPart[] = [];
/** A byte order mark may stand before the first one. */
const FIELD = /^\ufeff?(data|event|id|retry)(?:: ?|$)/;

/** Server-sent events: `data:` lines, gathered up to an empty line. */
export class SseSource implements EventSource {
  #data: Line[] = [];
  #name = '';

  push(line: Line): readonly StreamPart[] {
    if (line.text.trim() === '') return this.#dispatch();
    if (line.text.startsWith(':')) return NONE;
    const field = FIELD.exec(line.text);
    if (!field) return [{ kind: 'foreign', start: line.start, end: line.end }];
    const value = line.text.slice(field[0].length);
    if (field[1] === 'event') this.#name = value.trim();
    return field[1] === 'data' ? this.#add({ ...line, text: value }) : NONE;
  }

  /** The last event often lacks its empty line. */
  end(): readonly StreamPart[] {
    return this.#dispatch();
  }

  /** Some relays drop the empty lines: a line that is an event by itself is one when the next begins. */
  #add(line: Line): readonly StreamPart[] {
    const [only] = this.#data;
    const isWhole = this.#data.length === 1 && only !== undefined && isPayload(only.text);
    const parts = isWhole ? this.#dispatch() : NONE;
    this.#data.push(line);
    return parts;
  }

  #dispatch(): readonly StreamPart[] {
    const lines = this.#data;
    const name = this.#name;
    this.#data = [];
    this.#name = '';
    const [first] = lines;
    const last = lines.at(-1);
    if (!first || !last) return NONE;
    const whole = { text: lines.map(({ text }) => text).join('\n'), start: first.start, end: last.end };
    const part = readPayload(whole, name);
    return part.kind === 'unreadable' && lines.length > 1
      ? lines.map((line) => readPayload(line, name))
      : [part];
  }
}

function isPayload(text: string): boolean {
  return text.trim() === '[DONE]' || isObject(tryParse(text));
}

function readPayload({ text, start, end }: Line, name: string): StreamPart {
  const place = { start, end };
  if (text.trim() === '[DONE]') return { kind: 'done', ...place };
  const value = tryParse(text);
  if (!isObject(value)) return { kind: 'unreadable', ...place };
  // Bedrock names its events outside of them; inside, the name is the only member.
  const event = /^(?:message|contentBlock)(?:Start|Delta|Stop)$/.test(name) ? { [name]: value } : value;
  return { kind: 'event', event: { value: event, source: text, ...place } };
}
