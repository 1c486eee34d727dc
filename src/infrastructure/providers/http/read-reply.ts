import { createParser } from 'eventsource-parser';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import { parseJson } from '../../../domain/parse-json.js';
import { excerpt } from './failed-response.js';
import type { ModelResponse } from './model-transport.js';
import { badReply } from './provider-error.js';

export interface ReadLimits {
  /** A reply that needs more is no reply but an accident, or an attack on our memory. */
  readonly maxBytes: number;
  /** Hears of each piece that comes. */
  readonly onBytes: () => void;
}

export type StreamFormat = 'sse' | 'lines';

async function* textOf(
  response: ModelResponse,
  { maxBytes, onBytes }: ReadLimits,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body) {
    onBytes();
    bytes += chunk.length;
    if (bytes > maxBytes) throw badReply(`the reply has more than ${maxBytes} bytes`);
    yield decoder.decode(chunk, { stream: true });
  }
}

/** A reply that comes as one JSON object. */
export async function readWhole(response: ModelResponse, limits: ReadLimits): Promise<JsonObject> {
  const pieces: string[] = [];
  for await (const piece of textOf(response, limits)) pieces.push(piece);
  return objectOf(pieces.join(''));
}

/** How the events of a stream are read. */
export interface EventReading extends ReadLimits {
  readonly format: StreamFormat;
  /** Takes one event; true once enough is read. */
  readonly take: (event: JsonObject) => boolean;
}

/** Reads the JSON events of a stream until it ends or enough is read; true if it ends with the `[DONE]` of some servers. */
export async function readEvents(
  response: ModelResponse,
  { format, take, ...limits }: EventReading,
): Promise<boolean> {
  const split = format === 'sse' ? serverEvents() : lines();
  let isMarked = false;
  const isOver = (data: string): boolean => {
    isMarked = data === '[DONE]';
    return isMarked || take(objectOf(data));
  };
  for await (const piece of textOf(response, limits)) if (split(piece).some(isOver)) return isMarked;
  split('\n\n').some(isOver);
  return isMarked;
}

/** Takes text as it comes and gives what it completes. */
type Splitter = (piece: string) => readonly string[];

function serverEvents(): Splitter {
  let ready: string[] = [];
  const onEvent = ({ data }: { readonly data: string }): void => {
    // Gateways write events without data to keep a connection open.
    if (data.trim() !== '') ready.push(data);
  };
  const parser = createParser({ onEvent });
  return (piece) => {
    ready = [];
    parser.feed(piece);
    return ready;
  };
}

function lines(): Splitter {
  let pending: string[] = [];
  return (piece) => {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    const [first, ...rest] = parts;
    if (first === undefined) {
      pending.push(last);
      return [];
    }
    const whole = [pending.join('') + first, ...rest];
    pending = [last];
    return whole.filter((line) => line.trim() !== '');
  };
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw badReply(`the reply is not ${value === undefined ? 'JSON' : 'a JSON object'}: ${excerpt(text)}`);
}
