import { toVisible } from '../../../domain/visible-text.js';
import { table } from '../output/table.js';
import type { DoctorReport } from './doctor-report.js';
import { isGood, type TrialResult } from './judge.js';

/** The report as a table for people: what was tried, who held it, and how to get what is missing. */
export function doctorText(report: DoctorReport): string {
  const rows = report.results.map((result) => [isGood(result) ? '✓' : '✗', result.tried, holderText(result)]);
  const others = report.reasons.filter((reason) => !report.missing.includes(reason));
  const sections = [
    table(['', 'TRIED', 'HELD BY'], rows),
    `${summaryText(report)}\n`,
    listText('To get what is missing:', report.missing),
    listText('What the sandbox says of itself here:', report.holds ? [] : others),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function holderText({ verdict, heldBy, detail = '' }: TrialResult): string {
  switch (verdict) {
    case 'held':
      return heldBy;
    case 'escaped':
    case 'unheld':
      return `nobody: ${detail}`;
    case 'untried':
      return `unknown: ${detail}`;
    case 'inapplicable':
      return `not tried: ${detail}`;
    default:
      return verdict satisfies never;
  }
}

function summaryText({ results, backend, kernel }: DoctorReport): string {
  const tried = results.filter(({ verdict }) => verdict !== 'inapplicable');
  const held = tried.filter(isGood).length;
  const who = kernel ? `the kernel, by way of ${backend}` : 'the checks of this process only';
  return `${held} of ${tried.length} escapes were held. Processes are confined by ${who}.`;
}

function listText(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [title, ...lines.map((line) => `- ${toVisible(line)}`), ''].join('\n');
}
