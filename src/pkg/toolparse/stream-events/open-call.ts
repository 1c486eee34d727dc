import { JsonWalker } from '../json/json-walker.js';
import type { Draft } from '../scan/draft.js';
import type { Json } from '../types.js';
import type { CallOpening } from './event-reader.js';

/** Who hears of a call's parts as they come. */
export interface CallListener {
  named(call: OpenCall): void;
  told(call: OpenCall, text: string): void;
  stopped(call: OpenCall): void;
  /** Whether the event at hand names a member twice. */
  repeatsKey(): boolean;
}

/** A call whose parts are still coming. */
export class OpenCall {
  readonly format: string | undefined;
  /** Set once nothing more of it comes. */
  isStopped = false;
  isAnnounced = false;
  /** Set once it has been taken for what it is; nothing can be added any more. */
  isHandedOn = false;
  start = 0;
  end = 0;
  #name: string;
  #id: string | undefined;
  readonly #isRaw: boolean;
  #pieces: string[] = [];
  #value: Json | undefined;
  #hasText = false;
  #isTold = false;
  #length = 0;
  #suggestion: { readonly value: Json; readonly repeats: boolean } | undefined;
  #repeats = false;
  #walker = new JsonWalker();

  constructor(
    private readonly listener: CallListener,
    readonly number: number,
    opening: CallOpening,
  ) {
    this.format = opening.format;
    this.#name = opening.name ?? '';
    this.#id = opening.id;
    this.#isRaw = opening.isRaw ?? false;
  }

  get name(): string {
    return this.#name;
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** The text of the arguments so far. */
  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return this.#pieces[0] ?? '';
  }

  /** Whether this is the text of the arguments so far; asked often, so the length is compared first. */
  isText(text: string): boolean {
    return text.length === this.#length && text === this.text;
  }

  /** Whether the arguments are there: an empty text says nothing. */
  get hasArguments(): boolean {
    return this.#value !== undefined || this.#hasText;
  }

  /** Whether the arguments came as a value, which is whole. */
  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  /** Whether the arguments show by themselves that they are whole. */
  get isBalanced(): boolean {
    return !this.#isRaw && this.#value === undefined && this.#walker.status === 'done';
  }

  /** What comes late: a first name or id counts, another one does not. */
  describe({ name, id }: Pick<CallOpening, 'name' | 'id'>): void {
    this.#id ??= id;
    if (this.#name !== '' || name === undefined) return;
    this.#name = name;
    this.listener.named(this);
  }

  append(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#length += text.length;
    this.#hasText ||= /\S/.test(text);
    if (this.#walker.status === 'more') this.#walker.walk(text, 0, 0);
    this.tell(text);
  }

  /** The arguments as a whole, in place of what there is of them. */
  replace(value: Json | undefined): void {
    if (value === undefined || value === null) return;
    if (typeof value === 'string') {
      this.#replaceText(value);
      return;
    }
    this.#value = value;
    this.#repeats ||= this.listener.repeatsKey();
    if (!this.#isTold) this.tell(JSON.stringify(value));
  }

  /** Arguments that count if nothing else is told of them before the call stops. */
  suggest(value: Json): void {
    this.#suggestion = { value, repeats: this.listener.repeatsKey() };
  }

  /** Says how the arguments grow, where that is not by a text that is appended. */
  tell(text: string): void {
    if (text === '' || this.isHandedOn) return;
    this.#isTold = true;
    this.listener.told(this, text);
  }

  /** Something of it was told twice, and not the same: the call must not run. */
  doubt(): void {
    this.#repeats = true;
  }

  stop(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    const suggestion = this.hasArguments ? undefined : this.#suggestion;
    if (suggestion) {
      this.replace(suggestion.value);
      this.#repeats ||= suggestion.repeats;
    }
    this.listener.stopped(this);
  }

  /** The call as a format reads it. `isWhole` counts where the arguments do not show it themselves. */
  draft(isWhole: boolean): Draft {
    const json = { kind: 'encoded', value: this.#value ?? this.text } as const;
    return {
      name: this.#name,
      id: this.#id,
      arguments: this.#isRaw ? { kind: 'json', value: { input: this.text } } : json,
      complete: isWhole || this.isBalanced,
      fixes: [],
      repeats: this.#repeats,
    };
  }

  #replaceText(text: string): void {
    if (this.isText(text)) return;
    const known = this.text;
    this.#value = undefined;
    if (text.startsWith(known)) {
      this.append(text.slice(known.length));
      return;
    }
    this.#pieces = [text];
    this.#length = text.length;
    this.#hasText = /\S/.test(text);
    this.#walker = new JsonWalker();
    this.#walker.walk(text, 0, 0);
  }
}
