import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../domain/json.js';
import type { Redactor } from '../../../domain/redaction.js';
import { Attempt } from './attempt.js';
import { failureOfResponse, htmlReply } from './failed-response.js';
import type { ModelRequest, ModelResponse, ModelTransport } from './model-transport.js';
import { type Price, withCost } from './prices.js';
import { ProviderError } from './provider-error.js';
import { type ReadLimits, readEvents, readWhole, type StreamFormat } from './read-reply.js';
import { waitBeforeRetry } from './retry-policy.js';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Puts a reply together from the events of its stream. */
export interface StreamReader<T> {
  /** Takes one event; true once the reply is whole. An event that reports a failure is thrown. */
  take(event: JsonObject): boolean;
  /** The reply. Throws where the stream ended before the reply did; `isMarked` if it ended with a mark of its own. */
  finish(isMarked: boolean): T;
}

/** A request, and how its reply is read. */
export interface ModelCall<T> {
  readonly request: ModelRequest;
  /** Reads a reply that comes all at once. */
  whole(body: JsonObject): T;
  /** A new reader for each try; absent where no stream was asked for. */
  readonly stream?: { readonly format: StreamFormat; readonly reader: () => StreamReader<T> } | undefined;
}

export interface ClientSettings {
  /** The provider's name, which every failure begins with. */
  readonly provider: string;
  readonly transport: ModelTransport;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxRetries: number;
  /** Keeps the key out of what a server says of it. */
  readonly redactor: Redactor;
  readonly price?: Price | undefined;
  /** 64 MiB when left out. */
  readonly maxReplyBytes?: number;
  readonly random?: () => number;
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Gets replies: tries again where that may help and nothing of a reply was used yet, and ends in time. */
export class ModelClient {
  constructor(private readonly settings: ClientSettings) {}

  async ask<T>(call: ModelCall<T>, signal: AbortSignal): Promise<T> {
    const { timeoutMs, maxRetries, random = Math.random, pause = sleep } = this.settings;
    const end = performance.now() + timeoutMs;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const remainingMs = Math.max(1, end - performance.now());
      const tried = await this.#try(call, signal, remainingMs);
      if (tried.ok) return tried.reply;
      const wait = tried.isStarted ? undefined : waitBeforeRetry(tried.error, tries, random);
      const isOver = wait === undefined || tries > maxRetries || performance.now() + wait >= end;
      if (isOver) throw this.#explained(tried.error, tries);
      await pause(wait, signal);
    }
  }

  /** Makes sense of a reply that was had; where there is none, that is told like every other failure. */
  understand<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#explained(error, 1);
    }
  }

  async #try<T>(call: ModelCall<T>, signal: AbortSignal, totalMs: number): Promise<Tried<T>> {
    const idleMs = call.stream ? this.settings.idleTimeoutMs : undefined;
    using attempt = new Attempt(signal, { totalMs, idleMs });
    const progress = { isStarted: false };
    try {
      const response = await this.settings.transport(call.request, attempt);
      const limits = { maxBytes: this.settings.maxReplyBytes ?? MAX_REPLY_BYTES, onBytes: attempt.touch };
      const reply = await readReply(response, call, { limits, progress });
      response.release();
      return { ok: true, reply };
    } catch (error) {
      attempt.abort();
      return { ok: false, error: attempt.reasonFor(error), isStarted: progress.isStarted };
    }
  }

  /** Who failed, and how often it was tried; whatever else was thrown is left as it is. */
  #explained(error: unknown, tries: number): unknown {
    if (!(error instanceof ProviderError)) return error;
    const { provider, redactor, price } = this.settings;
    const often = tries > 1 ? ` (tried ${tries} times)` : '';
    const cost = error.usage && withCost(error.usage, price);
    return error.reworded(redactor.text(`${provider}: ${error.message}${often}`), cost);
  }
}

type Tried<T> =
  | { readonly ok: true; readonly reply: T }
  | { readonly ok: false; readonly error: unknown; readonly isStarted: boolean };

interface Reading {
  readonly limits: ReadLimits;
  readonly progress: { isStarted: boolean };
}

async function readReply<T>(
  response: ModelResponse,
  call: ModelCall<T>,
  { limits, progress }: Reading,
): Promise<T> {
  if (response.status < 200 || response.status >= 300) throw await failureOfResponse(response);
  const type = String(response.headers['content-type']);
  if (type.includes('text/html')) throw await htmlReply(response);
  // Some gateways answer a request for a stream with the whole.
  const isWhole = type.includes('application/json') && call.stream?.format !== 'lines';
  if (!call.stream || isWhole) return call.whole(await readWhole(response, limits));
  const reader = call.stream.reader();
  const take = (event: JsonObject): boolean => {
    const isWhole = reader.take(event);
    progress.isStarted = true;
    return isWhole;
  };
  return reader.finish(await readEvents(response, { ...limits, format: call.stream.format, take }));
}

function sleep(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}
