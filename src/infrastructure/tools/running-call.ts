import { LONGEST_TIMER_MS } from '../../domain/longest-timer.js';
import type { PlannedAction } from '../../domain/plan.js';
import type { ExecutionContext, ToolEntry } from '../../ports/tool-executor.js';
import type { ToolContext } from '../../ports/tool-handler.js';
import type { ToolSandbox } from '../../ports/tool-sandbox.js';
import { watchAbort } from './abort-watch.js';
import { BoundSandbox, type SandboxBinding, type SandboxPorts } from './bound-sandbox.js';

/** How long a tool that was told to stop may take to hand over what it has. */
export const GRACE_MS = 1000;

/** How a handler ended. `stoppedBy` is set when it was told to; what it gave after that is partial. */
export interface Settled {
  readonly stoppedBy?: 'timeout' | 'cancel';
  readonly outcome:
    | { readonly kind: 'returned'; readonly value: unknown }
    | { readonly kind: 'threw'; readonly error: unknown }
    /** It did not come back in time, and nobody waits for it any more. */
    | { readonly kind: 'abandoned' };
}

export interface CallStart {
  readonly context: ExecutionContext;
  readonly action: PlannedAction;
}

/** One call while it runs: what its handler sees of the gate, and what ends it. */
export class RunningCall implements ToolContext, SandboxBinding {
  declare readonly signal: AbortSignal;
  readonly callId: string;
  readonly action: PlannedAction;
  readonly sandbox: ToolSandbox;
  readonly log: (message: string) => void;
  readonly #context: ExecutionContext;
  #controller: AbortController | undefined;
  #stoppedBy: Settled['stoppedBy'];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | undefined;
  #isOver = false;
  #outputFiles = 0;

  // An own property, so that `{ ...context }` has it; a getter, since most handlers never look and a controller
  // costs more than all the rest of a call.
  static readonly #signalProperty: PropertyDescriptor & ThisType<RunningCall> = {
    enumerable: true,
    get() {
      this.#controller ??= new AbortController();
      if (this.#stoppedBy) this.#controller.abort(stopError(this.#stoppedBy));
      return this.#controller.signal;
    },
  };

  constructor(entry: ToolEntry, ports: SandboxPorts, { context, action }: CallStart) {
    this.callId = context.callId;
    this.action = action;
    this.log = context.log;
    this.#context = context;
    this.sandbox = new BoundSandbox(entry, ports, this);
    Object.defineProperty(this, 'signal', RunningCall.#signalProperty);
  }

  get running(): NonNullable<SandboxBinding['running']> {
    return { onProcess: this.#context.onProcess, nextOutputFile: () => this.nextOutputFile() };
  }

  nextOutputFile(): string | undefined {
    const { outputFile } = this.#context;
    this.#outputFiles++;
    return outputFile === undefined || this.#outputFiles === 1
      ? outputFile
      : outputFile.replace(/(\.\w+)?$/, `-${this.#outputFiles}$1`);
  }

  /** Waits for what the handler returned: until it is there, or until a stop and its grace are over. */
  settle(returned: PromiseLike<unknown>): Promise<Settled> {
    return new Promise((resolve) => {
      const end = (outcome: Settled['outcome']): void => {
        this.#disarm();
        resolve(this.#stoppedBy ? { outcome, stoppedBy: this.#stoppedBy } : { outcome });
      };
      // Both outcomes are taken even when nobody waits any more, so that a late rejection harms no one.
      returned.then(
        (value) => end({ kind: 'returned', value }),
        (error: unknown) => end({ kind: 'threw', error }),
      );
      // After the handlers above: a promise that is settled already needs no timer, and timers are dear.
      queueMicrotask(() => this.#arm(end));
    });
  }

  #arm(end: (outcome: Settled['outcome']) => void): void {
    if (this.#isOver) return;
    const { signal, timeoutMs } = this.#context;
    const stop = (reason: 'timeout' | 'cancel'): void => {
      if (this.#stoppedBy || this.#isOver) return;
      this.#stoppedBy = reason;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(end, GRACE_MS, { kind: 'abandoned' });
      this.#controller?.abort(stopError(reason));
    };
    this.#timer = setTimeout(stop, longestTimer(timeoutMs), 'timeout');
    this.#unwatch = watchAbort(signal, () => stop('cancel'));
    if (signal.aborted) stop('cancel');
  }

  #disarm(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#unwatch?.();
  }
}

/** The longest time a timer can wait; beyond it, it would fire at once. */
export function longestTimer(timeoutMs: number): number {
  return Number.isNaN(timeoutMs) ? LONGEST_TIMER_MS : Math.min(timeoutMs, LONGEST_TIMER_MS);
}

function stopError(reason: 'timeout' | 'cancel'): Error {
  return reason === 'timeout'
    ? new DOMException('the call timed out', 'TimeoutError')
    : new DOMException('the call was cancelled', 'AbortError');
}
