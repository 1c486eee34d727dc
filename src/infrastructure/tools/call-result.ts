import { type Enforcement, NOTHING_ENFORCED } from '../../domain/enforcement.js';
import { type Failure, messageOf, toFailure } from '../../domain/errors.js';
import type { ToolResult } from '../../domain/tool-result.js';
import type { DetailedOutput } from '../../ports/tool-handler.js';
import { cutOutput, isLonger } from './cut-output.js';
import { keepOutput } from './keep-output.js';
import type { RunningCall, Settled } from './running-call.js';
import { toDetailedOutput, wellFormed } from './tool-output.js';

/** A handler is code of the host program: toolgate holds what it does through its sandbox, and nothing else. */
const HANDLER_ENFORCEMENT: Enforcement = Object.freeze({
  ...NOTHING_ENFORCED,
  reasons: Object.freeze(['the handler runs in this process; only what it does through its sandbox is held']),
});

// A message is read by people in a line or two; the rest of a long one is in the output.
const MAX_MESSAGE_BYTES = 4096;
// What a sandbox cut already says so in a line of its own, which may lie beyond the limit.
const CUT_NOTICE_BYTES = 1024;

export interface ResultScope {
  readonly maxOutputBytes: number;
  readonly durationMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly call: RunningCall;
}

/** The one result of a call, however it ended. Synchronous unless output must be cut and kept. */
export function resultOf(settled: Settled, scope: ResultScope): ToolResult | Promise<ToolResult> {
  const output = outputOf(settled);
  const failure = settled.stoppedBy ? stopFailure(settled, scope) : output.failure;
  const allowance = output.truncated ? CUT_NOTICE_BYTES : 0;
  if (isLonger(output.text, scope.maxOutputBytes + allowance)) return cutResult(output, failure, scope);
  return toResult(output, failure, scope);
}

function toResult(
  output: DetailedOutput,
  failure: Failure | undefined,
  { durationMs, maxOutputBytes }: ResultScope,
): ToolResult {
  const { text, data, truncated } = output;
  const keepsData = data !== undefined && !isLonger(JSON.stringify(data), maxOutputBytes);
  return {
    success: failure === undefined,
    output: failure && text === '' ? failure.message : text,
    durationMs,
    approval: 'none',
    enforcement: output.enforcement ?? HANDLER_ENFORCEMENT,
    // Last, and nothing rather than an empty object: this runs for every call.
    ...(failure ? { error: failure } : undefined),
    ...(keepsData ? { data } : undefined),
    ...(truncated ? { truncated } : undefined),
  };
}

async function cutResult(
  output: DetailedOutput,
  failure: Failure | undefined,
  scope: ResultScope,
): Promise<ToolResult> {
  const kept =
    output.truncated?.file === undefined ? await keepWhole(output.text, scope.call) : output.truncated;
  const cut = cutOutput(output.text, { maxBytes: scope.maxOutputBytes, ...kept });
  const totalBytes = Math.max(cut.truncated.totalBytes, output.truncated?.totalBytes ?? 0);
  const truncated = { ...cut.truncated, totalBytes };
  return toResult({ ...output, text: cut.text, truncated }, failure, scope);
}

async function keepWhole(text: string, call: RunningCall): Promise<{ file?: string; note?: string }> {
  const file = call.nextOutputFile();
  if (file === undefined) return {};
  const problem = await keepOutput(file, text);
  return problem === undefined ? { file } : { note: `; the whole could not be kept: ${problem}` };
}

/** What a handler handed over; one that threw or never came back has failed and handed over nothing. */
function outputOf({ outcome }: Settled): DetailedOutput {
  if (outcome.kind === 'abandoned') return { text: '' };
  try {
    if (outcome.kind === 'returned') return toDetailedOutput(outcome.value);
    return { text: '', failure: failureOf(outcome.error) };
  } catch (error) {
    return { text: '', failure: failureOf(error) };
  }
}

/** Anything can be thrown, also what has no text or a text of a megabyte. */
export function failureOf(error: unknown): Failure {
  try {
    const { code, message } = toFailure(error);
    return { code, message: shortened(String(message) || 'the tool failed without saying why') };
  } catch {
    return { code: 'EXECUTION.TOOL.FAILED', message: 'the tool threw something that has no text' };
  }
}

function shortened(message: string): string {
  const text = wellFormed(message);
  return isLonger(text, MAX_MESSAGE_BYTES) ? cutOutput(text, { maxBytes: MAX_MESSAGE_BYTES }).text : text;
}

function stopFailure({ stoppedBy, outcome }: Settled, scope: ResultScope): Failure {
  const left = outcome.kind === 'abandoned' ? '; it did not stop when told to and was abandoned' : '';
  if (stoppedBy === 'timeout') {
    return {
      code: 'EXECUTION.TOOL.TIMEOUT',
      message: `timed out after ${durationText(scope.timeoutMs)}${left}`,
    };
  }
  return cancelFailure(scope.signal, left);
}

/** Why a cancelled call did not run to its end. */
export function cancelFailure(signal: AbortSignal, more = ''): Failure {
  const reason: unknown = signal.reason;
  const isPlain = reason === undefined || (reason instanceof Error && reason.name === 'AbortError');
  const why = isPlain ? '' : `: ${messageOf(reason)}`;
  return { code: 'EXECUTION.CALL.CANCELLED', message: `cancelled${why}${more}` };
}

function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(2))} s`;
}
