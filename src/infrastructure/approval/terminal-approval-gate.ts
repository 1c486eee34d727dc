import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';
import { askOnTerminal } from './ask-on-terminal.js';
import * as decisions from './decisions.js';
import { OneAtATimeGate } from './one-at-a-time-gate.js';
import { type Environment, Terminal, type TerminalInput, type TerminalOutput } from './terminal.js';

export interface TerminalApprovalGateOptions {
  readonly input?: TerminalInput;
  readonly output?: TerminalOutput;
  /** Whether somebody is there to answer; by default, whether both are a terminal. */
  readonly isInteractive?: boolean;
  /** Names the person's editor and pager, and says whether they want colour. */
  readonly env?: Environment;
}

/** Asks the person at the terminal, one call at a time. Whatever is not a clear yes is a no. */
export class TerminalApprovalGate implements ApprovalGate {
  readonly #line = new OneAtATimeGate({ review: (request, context) => this.#ask(request, context) });

  constructor(private readonly options: TerminalApprovalGateOptions = {}) {}

  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    return this.#line.review(request, context);
  }

  async #ask(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const { input = process.stdin, output = process.stderr, env = process.env } = this.options;
    const isInteractive = this.options.isInteractive ?? Boolean(input.isTTY && output.isTTY);
    if (!isInteractive || !input.readable || !output.writable) return nobodyThere(request);
    try {
      const terminal = new Terminal({ input, output, env, signal: context.signal });
      try {
        terminal.open();
        return await askOnTerminal(terminal, request, context);
      } finally {
        terminal.close();
      }
    } catch (error) {
      return decisions.unavailable(messageOf(error));
    }
  }
}

function nobodyThere({ reason }: ApprovalRequest): ApprovalDecision {
  // Read by the agent: how to do without a person is none of its business.
  const need = reason.kind === 'policy' ? '' : `, and this needs a person: ${reason.text}`;
  return decisions.unavailable(`there is no terminal${need}`);
}
