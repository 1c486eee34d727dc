import type { AgentNotice } from '../../../domain/agent-notice.js';
import type { Usage } from '../../../domain/message.js';
import type { AgentReply } from '../../../ports/agent-provider.js';
import type { CliEvent } from './cli-driver.js';

export interface TranscriptOptions {
  readonly agent: string;
  readonly onText?: (text: string) => void;
  readonly onUsage?: (usage: Usage) => void;
  readonly onNotice?: (notice: AgentNotice) => void;
  /** Whether it has read which tools it has; left out where it is offered none. */
  readonly hasTools?: () => boolean;
}

/** What a command line has said until now, put together from its events. */
export class CliTranscript {
  #session: string | undefined;
  #answer = '';
  #said = '';
  #usage: Usage | undefined;
  #error: string | undefined;
  #isComplete = false;
  #isClosed = false;
  #saidOfTools: string | undefined;
  /** Whether it had read which tools it has when its model said the first word; unknown until then. */
  #knewTools: boolean | undefined;
  readonly #bypasses: string[] = [];

  constructor(private readonly options: TranscriptOptions) {}

  /** Tools of its own that it used. */
  get bypasses(): readonly string[] {
    return this.#bypasses;
  }

  get error(): string | undefined {
    return this.#error;
  }

  /** Why it had none of our tools when its model was asked first, if it had none. */
  get lacksTools(): string | undefined {
    if (this.#saidOfTools !== undefined || this.#knewTools !== false) return this.#saidOfTools;
    return 'answered before it had asked our MCP server which tools it has';
  }

  /** Whether it says so itself, before its model is asked: then there is nothing to wait for. */
  get saysItLacksTools(): boolean {
    return this.#saidOfTools !== undefined;
  }

  /** Whether it said that it had come to its end. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  add(event: CliEvent): void {
    // Whoever has tools has read which they are before its model is asked.
    if (isOfModel(event)) this.#knewTools ??= this.options.hasTools?.() ?? true;
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
      case 'no-tools':
        this.#saidOfTools ??= event.message;
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

  /** What it says from now on is not part of its answer: it was told to end, and may need a moment for it. */
  close(): void {
    this.#isClosed = true;
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
    if (this.#isClosed) return;
    this.#said += text;
    this.options.onText?.(text);
  }

  /** The same text may have come in parts before, and may come again as the answer: people see it once. */
  #finishMessage(text: string): void {
    if (this.#isClosed) return;
    if (this.#said === '' && text !== this.#answer) this.options.onText?.(text);
    this.#said = '';
    this.#answer = text;
  }
}

function isOfModel({ kind }: CliEvent): boolean {
  return kind === 'delta' || kind === 'message' || kind === 'own-tool';
}
