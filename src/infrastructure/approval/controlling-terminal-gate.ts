import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { promisify } from 'node:util';
import type { ApprovalDecision, ApprovalRequest } from '../../domain/approval.js';
import { messageOf } from '../../domain/errors.js';
import type { ApprovalGate, ReviewContext } from '../../ports/approval-gate.js';
import { TerminalApprovalGate } from './terminal-approval-gate.js';

const TERMINAL = '/dev/tty';
const run = promisify(execFile);

/**
 * Asks the person at the terminal that this process was started from, for a process whose own streams carry a
 * protocol. The terminal is opened for the question only. One whose keys another program reads, as an agent's screen
 * does, is not asked: a key that was meant for that program could be taken for a yes.
 */
export class ControllingTerminalGate implements ApprovalGate {
  #last: Promise<unknown> = Promise.resolve();

  review(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
    const asked = this.#last.then(() => ask(request, context));
    this.#last = asked.catch(() => undefined);
    return asked;
  }
}

const NOBODY = new TerminalApprovalGate({ isInteractive: false });

async function ask(request: ApprovalRequest, context: ReviewContext): Promise<ApprovalDecision> {
  if (!hasTerminal()) return NOBODY.review(request, context);
  const problem = await keyboardProblem();
  if (problem) return { kind: 'denied', unavailable: true, reason: `nobody could be asked: ${problem}` };
  const input = new ReadStream(openSync(TERMINAL, 'r'));
  const output = new WriteStream(openSync(TERMINAL, 'w'));
  try {
    return await new TerminalApprovalGate({ input, output, isInteractive: true }).review(request, context);
  } finally {
    input.destroy();
    output.destroy();
  }
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync(TERMINAL, 'r+'));
    return true;
  } catch {
    return false;
  }
}

/** A program that reads key by key has taken the terminal out of its line mode. */
async function keyboardProblem(): Promise<string | undefined> {
  try {
    const { stdout } = await run('stty', ['-F', TERMINAL, '-a'], { timeout: 5_000 });
    const isByLine = /(?:^|\s)icanon\b/.test(stdout);
    return isByLine ? undefined : 'another program is reading the keys of the terminal';
  } catch (error) {
    return `the state of the terminal is not known (${messageOf(error).split('\n')[0]})`;
  }
}
