import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../domain/json.js';
import type { Redactor } from '../../../domain/redaction.js';
import { Attempt } from './attempt.js';
import { failureOfResponse } from './failed-response.js';
import type { ModelRequest, ModelResponse, ModelTransport } from './model-transport.js';
import { type Price, withCost } from './prices.js';
import { ProviderError } from './provider-error.js';
import { readReply, type StreamFormat } from './read-reply.js';
import type { Came } from './reply-sinks.js';
import type { ReadLimits } from './reply-text.js';
import { waitBeforeRetry } from './retry-policy.js';

const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Puts a reply together from the events of its stream. */
export interface StreamReader<T> {
  /** Takes one event; true once the reply is whole. An event that reports a failure is thrown. */
  take(event: JsonObject): boolean;
  /** The reply. Throws where the stream ended before the reply did; `isMarked` if it ended with a mark of its own. */
  finish(isMarked: boolean): T;
  /** Whether a connection that breaks now takes nothing of the reply with it. */
  readonly isWhole?: boolean;
}

/** A request, and how its reply is read. */
export interface ModelCall<T> {
  readonly request: ModelRequest;
  /** Reads a reply that comes all at once. */
  whole(body: JsonObject): T;
  /** Gateways stream where they are not asked to, and the other way round. */
  readonly isStreamed: boolean;
  readonly format: StreamFormat;
  /** A new reader for each try. */
  reader(): StreamReader<T>;
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
    const idleMs = call.isStreamed ? this.settings.idleTimeoutMs : undefined;
    using attempt = new Attempt(signal, { totalMs, idleMs });
    const progress = { isStarted: false };
    try {
      const response = await this.settings.transport(call.request, attempt);
      const limits = { maxBytes: this.settings.maxReplyBytes ?? MAX_REPLY_BYTES, onBytes: attempt.touch };
      const isCancelled = () => signal.aborted;
      const reply = await replyOf(response, call, { limits, progress, isCancelled });
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
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
    const wait = seconds > 0 ? `; it asks to wait ${seconds} s` : '';
    const cost = error.usage && withCost(error.usage, price);
    return error.reworded(redactor.text(`${provider}: ${error.message}${wait}${often}`), cost);
  }
}

type Tried<T> =
  | { readonly ok: true; readonly reply: T }
  | { readonly ok: false; readonly error: unknown; readonly isStarted: boolean };

interface Reading {
  readonly limits: ReadLimits;
  readonly progress: { isStarted: boolean };
  readonly isCancelled: () => boolean;
}

async function replyOf<T>(
  response: ModelResponse,
  call: ModelCall<T>,
  { limits, progress, isCancelled }: Reading,
): Promise<T> {
  if (response.status < 200 || response.status >= 300) throw await failureOfResponse(response);
  const reader = call.reader();
  const take = (event: JsonObject): boolean => {
    const isOver = reader.take(event);
    // A sign of life is nothing of a reply.
    if (event.type !== 'ping') progress.isStarted = true;
    return isOver;
  };
  const reading = readReply(response, { ...limits, format: call.format, take });
  const came = await reading.catch((error: unknown): Came => {
    if (isBroken(error) && reader.isWhole === true && !isCancelled()) return { isMarked: false };
    throw error;
  });
  return 'body' in came ? call.whole(came.body) : reader.finish(came.isMarked);
}

function isBroken(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'EXECUTION.PROVIDER.CONNECTION';
}

function sleep(ms: number, signal: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, { signal });
}
