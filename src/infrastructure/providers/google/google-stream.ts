import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';
import { failureOfBody } from '../http/error-body.js';
import type { StreamReader } from '../http/model-client.js';
import { badReply, refused } from '../http/provider-error.js';
import { usageOf } from './google-reply.js';
import { isObjectList, type WireReply } from './google-wire.js';

/** Puts a reply together from the responses of its stream; one response alone is a reply that came whole. */
export class GoogleStream implements StreamReader<WireReply> {
  readonly #parts: JsonObject[] = [];
  #usage: JsonObject = {};
  #finishReason: string | undefined;
  #finishMessage: string | undefined;

  constructor(private readonly onText: (delta: string) => void) {}

  /** Never true: usage and signatures may follow the piece that says why the model stopped. */
  take(response: JsonObject): boolean {
    if (isJsonObject(response.error)) throw failureOfBody(response);
    if (isJsonObject(response.usageMetadata)) this.#usage = { ...this.#usage, ...response.usageMetadata };
    const { blockReason } = isJsonObject(response.promptFeedback) ? response.promptFeedback : {};
    if (typeof blockReason === 'string')
      throw refused(`the prompt was blocked (${blockReason})`, usageOf(this.#usage));
    const candidate = Array.isArray(response.candidates)
      ? (response.candidates as readonly Json[])[0]
      : undefined;
    if (isJsonObject(candidate)) this.#takeCandidate(candidate);
    return false;
  }

  finish(): WireReply {
    if (this.#finishReason === undefined) throw badReply('the stream ended before the reply did');
    return {
      parts: joinedTexts(this.#parts),
      finishReason: this.#finishReason,
      ...(this.#finishMessage === undefined ? {} : { finishMessage: this.#finishMessage }),
      usage: this.#usage,
    };
  }

  #takeCandidate({ content, finishReason, finishMessage }: JsonObject): void {
    if (typeof finishReason === 'string') this.#finishReason = finishReason;
    if (typeof finishMessage === 'string') this.#finishMessage = finishMessage;
    const parts = isJsonObject(content) ? content.parts : undefined;
    if (!isObjectList(parts)) return;
    for (const part of parts) {
      this.#parts.push(part);
      if (typeof part.text === 'string' && part.text !== '' && part.thought !== true) this.onText(part.text);
    }
  }
}

/** Neighbours that are nothing but text become one; a part with a signature stays as it is. */
function joinedTexts(parts: readonly JsonObject[]): readonly JsonObject[] {
  const joined: JsonObject[] = [];
  let run: { readonly kind: string; readonly texts: string[]; readonly part: JsonObject } | undefined;
  const close = (): void => {
    if (run) joined.push({ ...run.part, text: run.texts.join('') });
    run = undefined;
  };
  for (const part of parts) {
    const kind = plainKind(part);
    if (kind === undefined) {
      close();
      joined.push(part);
      continue;
    }
    if (run?.kind !== kind) {
      close();
      run = { kind, texts: [], part };
    }
    run.texts.push(String(part.text));
  }
  close();
  return joined.filter((part) => plainKind(part) === undefined || part.text !== '');
}

/** Which texts may be joined with this part: thoughts with thoughts, speech with speech. */
function plainKind(part: JsonObject): 'thought' | 'speech' | undefined {
  if (typeof part.text !== 'string') return undefined;
  const others = Object.keys(part).filter((key) => key !== 'text');
  if (others.length === 0) return 'speech';
  return others.length === 1 && part.thought === true ? 'thought' : undefined;
}
