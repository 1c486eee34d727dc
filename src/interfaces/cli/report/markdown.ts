import { toVisible } from '../../../domain/visible-text.js';
import type { Block } from './document.js';

/** A document as Markdown. What an agent wrote stands in code only: there it links, mentions and embeds nothing. */
export function toMarkdown(document: readonly Block[]): string {
  return `${document.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'facts':
      return block.facts.map(([name, value]) => `- **${name}**: ${inline(value)}`).join('\n');
    case 'table':
      return [block.titles, block.titles.map(() => '---'), ...block.rows.map((row) => row.map(cell))]
        .map((row) => `| ${row.join(' | ')} |`)
        .join('\n');
    case 'text':
      return `${block.title}:\n\n${fenced(toVisible(block.text, { multiline: true }))}`;
    default:
      throw block satisfies never;
  }
}

function cell(text: string): string {
  return /^[\w.– -]*$/.test(text) ? text : inline(text).replaceAll('|', '\\|');
}

/** Between more backticks than it has in a row; the blanks let it begin and end with one. */
function inline(text: string): string {
  const shown = toVisible(text);
  const ticks = '`'.repeat(longestRun(shown) + 1);
  return ticks.length === 1 && shown.trim() === shown ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text.replace(/\n$/, '')}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
