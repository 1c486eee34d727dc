import type { AgentNotice } from '../../../domain/agent-notice.js';
import type { Usage } from '../../../domain/message.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import type { CliEvent } from './cli-driver.js';

export interface TranscriptOptions {
  readonly agent: string;
  readonly onText?: (text: string) => void;
  readonly onUsage?: (usage: Usage) => void;
  readonly onNotice?: (notice: AgentNotice) => void;
}

/** What a command line has said until now, put together from its events. */
export class CliTranscript {
  #session: string | undefined;
  #answer = '';
  #said = '';
  #usage: Usage | undefined;
  #error: string | undefined;
  #isComplete = false;
  readonly #bypasses: string[] = [];

  constructor(private readonly options: TranscriptOptions) {}

  /** Tools of its own that it used. */
  get bypasses(): readonly string[] {
    return this.#bypasses;
  }

  get error(): string | undefined {
    return this.#error;
  }

  /** Whether it said that it had come to its end. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  add(event: CliEvent): void {
    switch (event.kind) {
      case 'session':
        this.#begin(event.id);
        break;
      case 'delta':
        this.#hear(event.text);
        break;
      case 'message':
        this.#finishMessage(event.text);
        break;
      case 'usage':
        this.#usage = event.usage;
        this.options.onUsage?.(event.usage);
        break;
      case 'own-tool':
        this.#bypasses.push(event.tool);
        this.options.onNotice?.({ ...event, kind: 'bypassed' });
        break;
      case 'warning':
        this.options.onNotice?.({ kind: 'warning', message: `${this.options.agent} ${event.message}` });
        break;
      case 'end':
        this.#isComplete = true;
        break;
      case 'error':
        this.#error ??= event.message;
        break;
      default:
        throw event satisfies never;
    }
  }

  /** The reply that this makes. The session is kept with it, so that a later turn can go on with it. */
  reply(): AgentReply {
    const raw = this.#session === undefined ? {} : { raw: { session_id: this.#session } };
    return {
      message: { role: 'assistant', content: this.#answer || this.#said, calls: [], ...raw },
      ...(this.#usage ? { usage: this.#usage } : {}),
    };
  }

  #begin(id: string): void {
    if (id === '' || id === this.#session) return;
    this.#session = id;
    this.options.onNotice?.({ kind: 'session', id });
  }

  #hear(text: string): void {
    this.#said += text;
    this.options.onText?.(text);
  }

  /** The same text may have come in parts before, and may come again as the answer: people see it once. */
  #finishMessage(text: string): void {
    if (this.#said === '' && text !== this.#answer) this.options.onText?.(text);
    this.#said = '';
    this.#answer = text;
  }
}
