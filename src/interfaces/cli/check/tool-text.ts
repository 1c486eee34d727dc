import type { ApprovalPolicy } from '../../../domain/approval.js';
import type { Layer } from '../../../domain/enforcement.js';
import type { Limits, Permissions } from '../../../domain/restrictions.js';
import { describeRule } from '../../../domain/rules/rule-text.js';
import { durationText } from '../output/one-line.js';
import type { ToolReport } from './check-report.js';
import { listText, reachText } from './tool-reach.js';

/** One tool: who must agree, what it reaches, who holds it to that. */
export function toolText(tool: ToolReport, workspace: string): string[] {
  const { permissions } = tool;
  const { reads, writes, reaches } = reachText(tool, workspace);
  const rows: readonly (readonly [string, string] | undefined)[] = [
    ...approvalRows(tool.approval),
    ['reads', reads],
    ['writes', writes],
    optional('never', permissions.deny),
    optional('read-only', permissions.protect),
    ['runs', commandsText(permissions, tool.startsProcess)],
    ['reaches', reaches],
    optional('private', permissions.privateHosts),
    optional('env', permissions.env),
    ['limits', limitsText(permissions.limits, tool)],
    ...enforcementRows(tool),
    ...tool.notes.map((note): readonly [string, string] => ['but', note]),
  ];
  const shown = rows.flatMap((row) => (row ? [`  ${row[0].padEnd(10)}${row[1]}`] : []));
  return [`${tool.name} (${tool.source.replace(/\s*\n\s*/g, ' ')})`, ...shown];
}

/** The default, then each rule on a line of its own, word for word. */
function approvalRows({ default: mode, rules }: ApprovalPolicy): readonly (readonly [string, string])[] {
  const said = rules.map(({ mode: ruled, when, reason }): readonly [string, string] => [
    '',
    `${ruled} when ${describeRule(when)}${reason === undefined ? '' : ` (${reason})`}`,
  ]);
  return [['approval', mode], ...said];
}

function optional(label: string, items: readonly string[]): readonly [string, string] | undefined {
  return items.length === 0 ? undefined : [label, items.join(', ')];
}

function commandsText({ commands, strict }: Permissions, startsProcess: boolean): string {
  if (startsProcess && commands.length === 0) return 'nothing: its restrictions list no commands';
  if (commands === 'any') return 'any program';
  if (commands === 'system') return 'any program of the system folders';
  return strict ? `strictly ${listText(commands)}` : listText(commands);
}

/** Memory and processes concern only tools that start one. */
function limitsText(
  { memoryBytes, pids, maxOutputBytes }: Limits,
  { startsProcess, timeoutMs }: ToolReport,
): string {
  return [
    `${sizeText(maxOutputBytes)} output`,
    ...(startsProcess ? [`${sizeText(memoryBytes)} memory`, `${pids} processes`] : []),
    ...(timeoutMs === undefined ? [] : [`${durationText(timeoutMs)} a call`]),
  ].join(', ');
}

const UNITS = ['GiB', 'MiB', 'KiB'];

function sizeText(bytes: number): string {
  const index = UNITS.findIndex((_, at) => bytes % 1024 ** (3 - at) === 0);
  return index < 0 ? `${bytes} bytes` : `${bytes / 1024 ** (3 - index)} ${UNITS[index]}`;
}

/** A row for each who holds something, and one for what nobody does. What does not concern a tool is left out. */
function enforcementRows(tool: ToolReport): readonly (readonly [string, string])[] {
  const { enforcement: held, startsProcess, deniedHere } = tool;
  if (deniedHere) return [['held by', 'every call is denied here']];
  const what: readonly (readonly [string, Layer])[] = [
    ['reads', held.fsRead],
    ['writes', held.fsWrite],
    ['programs', held.exec],
    ['network', held.network],
    ['memory', held.memory],
    ['processes', held.pids],
    ['left-overs', held.killTree],
    ['environment', held.env],
  ];
  const by = (layer: Layer) => what.filter(([, holder]) => holder === layer).map(([name]) => name);
  const groups: readonly (readonly [string, readonly string[]])[] = [
    ['the kernel', by('kernel')],
    ['this process', by('in-process')],
    ['nobody', startsProcess ? by('none') : []],
  ];
  const said = groups.filter(([, names]) => names.length > 0);
  if (said.length === 0) return [['held by', 'nobody']];
  return said.map(([holder, names], at) => [at === 0 ? 'held by' : '', `${holder}: ${names.join(', ')}`]);
}
