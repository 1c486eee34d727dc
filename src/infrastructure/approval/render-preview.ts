import { hasMixedScripts, toVisible } from '../../domain/visible-text.js';
import type { ApprovalPreview } from './preview.js';
import { type PreviewLine, previewLines } from './preview-lines.js';
import { type Layout, textBlock, widthOf } from './text-block.js';

interface Section {
  readonly label: string;
  readonly lines: readonly PreviewLine[];
}

/** A preview as text for a terminal: who asks and why, what would happen as planned, what else the agent wrote. */
export function renderPreview(preview: ApprovalPreview, layout: Layout): string {
  const sections = [
    ...headSections(preview),
    ...preview.sections.map((section) => ({ label: section.label, lines: previewLines(section) })),
  ];
  const blocks = sections.map((section) => renderSection(section, layout));
  return `\n${toVisible(preview.question)}\n${blocks.join('')}`;
}

function headSections({ agent, step, callId, reason, deadline }: ApprovalPreview): Section[] {
  return [
    ownSection('asked by', `${agent} · step ${step} · ${callId}`),
    ownSection('why', reason.text),
    ...(deadline === undefined ? [] : [ownSection('answer by', timeOf(deadline))]),
  ];
}

function ownSection(label: string, text: string): Section {
  return { label, lines: [{ mark: '', text }] };
}

/** In the reader's own time; that locale happens to write it as 2026-03-01 14:05:09. */
function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString('sv');
}

function renderSection({ label, lines }: Section, layout: Layout): string {
  const shown = textBlock(lines, layout);
  const isOdd = lines.some(({ text }) => hasMixedScripts(text));
  const flag = isOdd ? '  ⚠ mixed scripts: letters of alphabets that look alike' : '';
  return `${beside(label, shown, flag, layout) ?? below(label, shown, flag)}\n`;
}

const LABEL_COLUMNS = 18;

/** A short value stands beside its label. */
function beside(label: string, shown: readonly string[], flag: string, layout: Layout): string | undefined {
  const [only = ''] = shown;
  const value = only.trimStart();
  const fits = LABEL_COLUMNS + 3 + widthOf(value) <= layout.columns;
  if (shown.length !== 1 || flag !== '' || label.length >= LABEL_COLUMNS || !fits) return undefined;
  return `  ${label.padEnd(LABEL_COLUMNS)}${value}`;
}

function below(label: string, shown: readonly string[], flag: string): string {
  return `  ${label}${flag}\n${shown.join('\n')}`;
}
