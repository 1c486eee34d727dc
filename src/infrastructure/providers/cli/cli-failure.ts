import { ToolgateError } from '../../../domain/errors.js';
import { TOOLS_WAIT_MS } from './cli-driver.js';

/** What is known of a command line whose turn did not end well. */
export interface CliEnd {
  readonly agent: string;
  /** What it said last, outside of its protocol. */
  readonly lastWords: string;
}

export function failed(what: string, end: CliEnd, problem: 'FAILED' | 'TIMEOUT' = 'FAILED'): ToolgateError {
  return new ToolgateError(`EXECUTION.PROVIDER.${problem}`, `"${end.agent}" failed: ${what}${said(end)}`);
}

/** An answer without tools is no answer: it may say that there is nothing to do, or make up what it did not read. */
export function lackedTools(why: string, end: CliEnd): ToolgateError {
  const message =
    `"${end.agent}" had none of the step's tools: it ${why}. What it said is not used, and it has made no call. ` +
    `It may take ${TOOLS_WAIT_MS / 1000} s to start our server; on a machine that is too busy for that, run it again`;
  return new ToolgateError('EXECUTION.PROVIDER.NO_TOOLS', `${message}${said(end)}`);
}

export function bypassed(tools: readonly string[], { agent }: CliEnd): ToolgateError {
  const message =
    `"${agent}" used a tool of its own, past the gate: ${[...new Set(tools)].join(', ')}. ` +
    'It was ended, because the step says `strict: true`; what the tool did is not undone';
  return new ToolgateError('EXECUTION.PROVIDER.BYPASSED', message);
}

function said({ lastWords }: CliEnd): string {
  return lastWords === '' ? '' : `. It said:\n${lastWords}`;
}
