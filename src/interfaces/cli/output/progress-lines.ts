import type { RunEvent } from '../../../application/run-request.js';
import type { Failure } from '../../../domain/errors.js';
import type { RunStatus } from '../../../domain/journal.js';
import type { Redactor } from '../../../domain/redaction.js';
import type { StepState } from '../../../domain/step-state.js';
import { isDenied, type ToolResult } from '../../../domain/tool-result.js';
import { toVisible } from '../../../domain/visible-text.js';
import { argumentsLine, durationText, outputLine } from './one-line.js';
import type { Paint } from './paint.js';

export interface LineStyle {
  readonly paint: Paint;
  readonly redactor: Redactor;
}

/** What an event looks like to people who watch; many say nothing that another does not say better. */
export function progressLines(event: RunEvent, style: LineStyle): readonly string[] {
  const { paint, redactor } = style;
  switch (event.type) {
    case 'run-start':
      return [runStart(event, paint)];
    case 'run-warning':
      return [paint.warning(`warning: ${shown(event.message, redactor)}`)];
    case 'step-start':
      return [`${paint.bold(`step ${toVisible(event.step)}`)}${replayedMark(event, paint)}`];
    case 'turn-end':
      return turnEnd(event, style);
    case 'input-ask':
      // Whoever is to answer must have read it all.
      return wordLines(event.reply, style).slice(MOST_LINES);
    case 'context-cut':
      return [`  ${paint.dim(contextCut(event))}`];
    case 'agent-notice':
      return noticeLines(event, style);
    case 'call-start':
      return [callStart(event, style)];
    case 'call-log':
      return [`    ${paint.dim(shown(event.message, redactor))}`];
    case 'call-end':
      return [callEnd(event, style)];
    case 'step-end':
      return stepEnd(event.state, style);
    case 'run-end':
      return [runEnd(event, paint)];
    default:
      return [];
  }
}

const MOST_LINES = 12;

/** Whoever started it can do something about it; the agent is not told how. */
export const UNANSWERED_ADVICE =
  'answer beforehand with --approve TOOL or --yes, or put the questions where somebody is with --approvals';

/** The agent's own words, indented so that no line of theirs can pass for one of ours. */
function turnEnd(event: Extract<RunEvent, { type: 'turn-end' }>, style: LineStyle): string[] {
  const { paint } = style;
  const lines = wordLines(event.text, style);
  const more = lines.length - MOST_LINES;
  return [
    `  ${paint.dim(`turn ${event.turn}: ${counted(event.calls, 'call')}`)}${replayedMark(event, paint)}`,
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`  ${paint.dim(`│ … +${counted(more, 'line')}`)}`] : []),
  ];
}

function wordLines(words: string, { paint, redactor }: LineStyle): string[] {
  const text = redactor.text(words).trim();
  if (text === '') return [];
  return toVisible(text, { multiline: true })
    .split('\n')
    .map((line) => `  ${paint.dim('│')} ${line}`);
}

function contextCut({ dropped, summarized }: Extract<RunEvent, { type: 'context-cut' }>): string {
  const how = summarized ? 'summed up' : 'left out';
  return `the context is nearly full: ${counted(dropped, 'earlier message')} ${how}`;
}

function noticeLines(
  event: Extract<RunEvent, { type: 'agent-notice' }>,
  { paint, redactor }: LineStyle,
): string[] {
  const { notice } = event;
  switch (notice.kind) {
    case 'session':
      return [`  ${paint.dim(`session ${toVisible(notice.id)}`)}`];
    case 'bypassed': {
      const tool = `${toVisible(notice.tool)} ${argumentsLine(notice.arguments, redactor)}`.trim();
      return [`  ${paint.warning('warning: past the gate, the agent used a tool of its own:')} ${tool}`];
    }
    case 'warning':
      return [`  ${paint.warning(`warning: ${shown(notice.message, redactor)}`)}`];
    default:
      throw notice satisfies never;
  }
}

function callStart(event: Extract<RunEvent, { type: 'call-start' }>, { paint, redactor }: LineStyle): string {
  const args = argumentsLine(event.arguments, redactor);
  return `  → ${toVisible(event.tool)}${args === '' ? '' : ` ${args}`}${replayedMark(event, paint)}`;
}

function callEnd(event: Extract<RunEvent, { type: 'call-end' }>, { paint, redactor }: LineStyle): string {
  const { result } = event;
  const mark = result.success ? paint.good('✓') : paint.bad('✗');
  // Why a call was refused is what a person must act on: that is never cut.
  const denial = isDenied(result) ? result.error?.message.replace(/^Denied: /, '') : undefined;
  const line = denial === undefined ? outputLine(result, redactor) : shown(denial, redactor);
  const code = result.error ? paint.dim(` [${result.error.code}]`) : '';
  const head = `  ${mark} ${toVisible(event.tool)} ${verdict(result)}`;
  return `${head}${line === '' ? '' : `: ${line}`}${code}${replayedMark(event, paint)}`;
}

function verdict(result: ToolResult): string {
  if (result.success) return `(${durationText(result.durationMs)})`;
  if (isDenied(result)) return 'denied';
  return `failed (${durationText(result.durationMs)})`;
}

function stepEnd(state: StepState, style: LineStyle): string[] {
  const { paint } = style;
  const { toolStats, stoppedBy, error } = state;
  const colour = stoppedBy === 'completed' ? paint.good : paint.bad;
  const { totalCalls, successful, failed, denied } = toolStats;
  const ofFailed = denied > 0 ? `, ${denied} of them denied` : '';
  const calls = `${counted(totalCalls, 'call')}: ${successful} ok, ${failed} failed${ofFailed}`;
  return [
    `  ${colour(stoppedBy)} ${paint.dim(`(${counted(state.turns, 'turn')}, ${calls})`)}`,
    ...(error ? failureLines(error, style) : []),
    ...(stoppedBy === 'approval_unavailable' ? [`  ${paint.dim(UNANSWERED_ADVICE)}`] : []),
  ];
}

/** What more lines it has, a difference or what a program said, are words of others. */
function failureLines({ code, message }: Failure, style: LineStyle): string[] {
  const { paint, redactor } = style;
  const [first = '', ...more] = message.split('\n');
  return [
    `  ${paint.bad(shown(first, redactor))} ${paint.dim(`[${code}]`)}`,
    ...wordLines(more.join('\n'), style),
  ];
}

function runStart(event: Extract<RunEvent, { type: 'run-start' }>, paint: Paint): string {
  const { runId, workflow, resumed } = event;
  return `${paint.bold(`run ${runId}`)} ${toVisible(workflow)}${resumed ? ' (resumed)' : ''}`;
}

function runEnd(
  { runId, status }: { readonly runId: string; readonly status: RunStatus },
  paint: Paint,
): string {
  const colour = status === 'success' ? paint.good : paint.bad;
  return `${paint.bold(`run ${runId}`)} ${colour(status)}`;
}

function replayedMark(event: { readonly replayed?: true }, paint: Paint): string {
  return event.replayed ? paint.dim(' (from the record)') : '';
}

function shown(text: string, redactor: Redactor): string {
  return toVisible(redactor.text(text));
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
