import { PassThrough, Writable } from 'node:stream';
import type { ApprovalRequest } from '../../src/domain/approval.js';
import type { PlannedAction } from '../../src/domain/plan.js';
import { TerminalApprovalGate } from '../../src/infrastructure/approval/terminal-approval-gate.js';
import type { ReviewContext } from '../../src/ports/approval-gate.js';

/** At the start of a line: anywhere else it is what an agent wrote. */
const PROMPT = /^ {2}any other key means no > /gm;

/** A keyboard and a screen that remember what was done to them. */
export class FakeTerminal {
  readonly rawModes: boolean[] = [];
  readonly input = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode: (mode: boolean) => {
      this.rawModes.push(mode);
      this.input.isRaw = mode;
    },
  });
  readonly output: Writable & { isTTY: boolean; columns: number; rows: number };
  screen = '';
  #waiting: (() => void)[] = [];

  constructor(columns = 80, rows = 40) {
    const write = (chunk: unknown, _encoding: unknown, done: () => void) => {
      this.screen += String(chunk);
      for (const wake of this.#waiting.splice(0)) wake();
      done();
    };
    this.output = Object.assign(new Writable({ write }), { isTTY: true, columns, rows });
  }

  gate(env: Readonly<Record<string, string>> = { NO_COLOR: '1' }): TerminalApprovalGate {
    return new TerminalApprovalGate({ input: this.input, output: this.output, env });
  }

  type(text: string): void {
    this.input.write(text);
  }

  /** Waits until so many questions were put on the screen. */
  async asked(count = 1): Promise<void> {
    await this.shows(() => (this.screen.match(PROMPT)?.length ?? 0) >= count);
  }

  async shows(isThere: () => boolean): Promise<void> {
    while (!isThere()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

export function requestFor(
  more: {
    readonly tool?: string;
    readonly arguments?: ApprovalRequest['plan']['arguments'];
    readonly action?: PlannedAction;
    readonly reason?: ApprovalRequest['reason'];
    readonly planHash?: string;
  } = {},
): ApprovalRequest {
  const { tool = 'shell', action = { kind: 'handler' }, planHash = 'hash-1' } = more;
  return {
    plan: { tool, arguments: more.arguments ?? {}, action },
    planHash,
    reason: more.reason ?? { kind: 'policy', text: '"shell" has approval: prompt' },
  };
}

export function contextWith(signal: AbortSignal = new AbortController().signal): ReviewContext {
  return {
    runId: 'run',
    effectId: 'fix/1/1/review',
    step: 'fix',
    callId: 'call_001',
    agent: 'scripted',
    signal,
  };
}
