import type { CallReport, RunReport, StepReport } from './run-report.js';

/** A report as a page has it, whatever the page is written in. All text but titles may be an agent's words. */
export type Block =
  | { readonly kind: 'title'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | {
      readonly kind: 'table';
      readonly titles: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'text'; readonly title: string; readonly text: string };

type Fact = readonly [name: string, value: string];

/** What is said of a run, from the whole to each call. */
export function documentOf(report: RunReport): readonly Block[] {
  const calls = report.steps.flatMap((step) => step.calls);
  return [
    { kind: 'title', level: 1, text: 'What the agent did' },
    { kind: 'facts', facts: runFacts(report, calls) },
    ...report.steps.flatMap((step) => stepBlocks(step)),
  ];
}

function runFacts(report: RunReport, calls: readonly CallReport[]): readonly Fact[] {
  const { workflow, runId, user, host, startedAt, lastAt, status, resumed, records } = report;
  const inputs = Object.keys(report.inputs).length > 0 ? JSON.stringify(report.inputs) : '';
  return present([
    ['Workflow', workflow],
    ['Run', runId],
    ['Started', `${startedAt} by ${user} on ${host}`],
    ['Last record', lastAt],
    ['Ended', status],
    ['Resumed', resumed > 0 ? times(resumed) : ''],
    ['Workspace', report.workspace],
    ['Inputs', inputs],
    ['Calls', tally(calls)],
    ['Record', `${records} records, chain sound when this was written`],
  ]);
}

function stepBlocks(step: StepReport): readonly Block[] {
  const { name, stoppedBy, turns, tokens, costUsd, warnings, calls } = step;
  const facts: readonly Fact[] = present([
    ['Step', name],
    ['Ended', stoppedBy || 'not yet'],
    ['Turns', String(turns)],
    ['Tokens', tokens > 0 ? String(tokens) : ''],
    ['Cost', costUsd > 0 ? `${costUsd.toFixed(4)} USD` : ''],
    ...warnings.map((warning): Fact => ['Warning', warning]),
  ]);
  const rows = calls.map((call, index) => [
    String(index + 1),
    call.id,
    call.tool,
    call.status,
    call.approval === 'none' ? '–' : call.approval || '–',
    call.heldBy || '–',
    `${call.durationMs} ms`,
  ]);
  const titles = ['#', 'Call', 'Tool', 'Status', 'Approved by', 'Held by', 'Took'];
  return [
    { kind: 'title', level: 2, text: 'Step' },
    { kind: 'facts', facts },
    ...(rows.length > 0 ? [{ kind: 'table', titles, rows } as const] : []),
    ...calls.flatMap((call, index) => callBlocks(call, index + 1)),
  ];
}

function callBlocks(call: CallReport, place: number): readonly Block[] {
  const facts = present([
    ['Call', call.id],
    ['Tool', call.tool],
    ['Status', call.status],
    ...call.answers.map((answer): Fact => ['Approval', answer]),
    ['Error', call.error],
  ]);
  const texts: readonly Block[] = [
    { kind: 'text', title: 'Arguments', text: JSON.stringify(call.arguments, null, 2) },
    { kind: 'text', title: 'Output', text: call.output },
  ];
  return [
    { kind: 'title', level: 3, text: `Call ${place}` },
    { kind: 'facts', facts },
    ...texts.filter((block) => block.kind === 'text' && block.text !== '' && block.text !== '{}'),
  ];
}

function tally(calls: readonly CallReport[]): string {
  const counts = new Map<string, number>();
  for (const { status } of calls) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  return `${calls.length}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function present(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(([, value]) => value !== '');
}
